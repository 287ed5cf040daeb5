import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { Reply } from '#lib/calls/call.ts'
import { call } from '#lib/calls/call.ts'
import { formatDate, formatTime } from '#lib/time/dates.ts'
import { useTimezone } from '#merchants/public.ts'
import { Block } from '#ui/blocks/block.tsx'
import { Button } from '#ui/blocks/button.tsx'
import { FailedNote } from '#ui/notes/notes.tsx'
import { Spinner } from '#ui/blocks/spinner.tsx'
import { toast } from '#ui/notes/toasts.tsx'
import { useTold } from '#ui/notes/told.ts'
import { sessionsQuery } from './queries.ts'
import styles from './sessions-card.module.css'

type Device = Reply<'GET /a/v2/users/{id}/sessions'>['items'][number]

/** The person's sessions, each with a button that ends it. */
export function SessionsCard({ userId }: { userId: string }) {
  const queryClient = useQueryClient()
  const sessions = useQuery(sessionsQuery(userId))
  const end = useTold({
    action: (session: string | 'others') => `session ${session}`,
    attempt: async (session: string | 'others') => {
      if (session === 'others') await call('DELETE /a/v2/users/{id}/sessions', { params: { id: userId } })
      else await call('DELETE /a/v2/users/{id}/sessions/{session}', { params: { id: userId, session } })
    },
    onSuccess: () => toast('success', 'Signed out there.'),
    failure: () => ['Something went wrong, that session is still signed in. Please try again.'],
    onSettled: () => queryClient.invalidateQueries(sessionsQuery(userId)),
  })
  const items = sessions.data?.items ?? []
  return (
    <Block title="Where you are signed in">
      <div className={styles.body}>
        {sessions.isPending && <Spinner label="Loading your sessions" />}
        {sessions.isError && (
          <FailedNote text="Your sessions could not be loaded." onRetry={() => void sessions.refetch()} />
        )}
        <ul className={styles.list}>
          {items.map((device) => (
            <SessionRow
              key={device.id}
              device={device}
              isEnding={end.isPending && end.variables === device.id}
              onEnd={() => end.mutate(device.id)}
            />
          ))}
        </ul>
        {items.length > 2 && (
          <Button
            look="plain"
            isBusy={end.isPending && end.variables === 'others'}
            onClick={() => end.mutate('others')}
          >
            Sign out everywhere else
          </Button>
        )}
      </div>
    </Block>
  )
}

interface RowProps {
  device: Device
  isEnding: boolean
  onEnd: () => void
}

function SessionRow({ device, isEnding, onEnd }: RowProps) {
  const timezone = useTimezone()
  const said = (moment: string): string => `${formatDate(moment, timezone)} ${formatTime(moment, timezone)}`
  const name = device.device ?? 'Unknown device'
  return (
    <li>
      <div>
        <p>
          <b>{name}</b>
          {device.is_current && <span className={styles.current}>This one</span>}
        </p>
        <p className={styles.soft}>
          Signed in {said(device.created_at)}, last used {said(device.last_seen_at)}
        </p>
      </div>
      {!device.is_current && (
        <Button
          look="plain"
          size="small"
          isBusy={isEnding}
          aria-label={`Sign out ${name}, signed in ${said(device.created_at)}`}
          onClick={onEnd}
        >
          Sign out
        </Button>
      )}
    </li>
  )
}
