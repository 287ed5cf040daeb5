import { messages } from '@cellarhand/contract/messages'
import IconLock from '@tabler/icons-react/dist/esm/icons/IconLock.mjs'
import { useQuery, type QueryClient } from '@tanstack/react-query'
import { useLocation, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { lazyPart } from '#lib/parts/lazy-part.ts'
import { can, merchantKey, useCan } from '#sign-in/public.ts'
import { Button } from '#ui/blocks/button.tsx'
import { DialogPart } from '#ui/dialogs/dialog.tsx'
import { EmptyNote, FailedNote } from '#ui/notes/notes.tsx'
import { Notice } from '#ui/notes/notice.tsx'
import { Spinner } from '#ui/blocks/spinner.tsx'
import type { Colleague } from './queries.ts'
import { nameOf, requirementQuery, teamQuery } from './queries.ts'
import { TwoStepRequirement } from './two-step-requirement.tsx'
import { UsersList } from './users-list.tsx'
import styles from './users-page.module.css'

const InviteDialog = lazyPart(() => import('./invite-dialog.tsx'), 'InviteDialog')
const EditRoleDialog = lazyPart(() => import('./edit-role-dialog.tsx'), 'EditRoleDialog')
const RevokeDialog = lazyPart(() => import('./revoke-dialog.tsx'), 'RevokeDialog')

type Open = { kind: 'invite' } | { kind: 'edit' | 'revoke'; colleague: Colleague } | null

export async function load(queryClient: QueryClient): Promise<void> {
  if (!can('team.read')) return
  const tmk = merchantKey()
  await Promise.all([
    queryClient.prefetchQuery({ ...teamQuery(tmk), staleTime: 0 }),
    queryClient.prefetchQuery({ ...requirementQuery(tmk), staleTime: 0 }),
  ])
}

export function UsersPage() {
  const may = useCan()
  const navigate = useNavigate()
  // The menu and the palette lead here with the invitation open.
  const isAsked = useLocation({ select: ({ hash }) => hash === 'invite' })
  const [chosen, setOpen] = useState<Open>(null)
  const [revoked, setRevoked] = useState<ReadonlySet<string>>(new Set())
  const mayEdit = may('team.edit')
  const open: Open = isAsked && mayEdit ? { kind: 'invite' } : chosen
  const close = (): void => {
    setOpen(null)
    if (isAsked) void navigate({ to: '/settings/users', replace: true })
  }
  // A re-invited person may come back under the same id.
  const markInvited = (uuid: string): void =>
    setRevoked((before) => new Set([...before].filter((each) => each !== uuid)))
  return (
    <>
      <header className={styles.head}>
        <div>
          <h1>Users</h1>
          <p>Invite, Edit or Remove</p>
        </div>
        {mayEdit && <Button onClick={() => setOpen({ kind: 'invite' })}>INVITE</Button>}
      </header>
      {!mayEdit && <Notice icon={IconLock}>{whyNot(may('team.read'))}</Notice>}
      {may('team.read') && (
        <Team
          revoked={revoked}
          onAct={mayEdit ? (kind, colleague) => setOpen({ kind, colleague }) : undefined}
        />
      )}
      {may('team.read') && <TwoStepRequirement mayEdit={mayEdit} />}
      <DialogPart title={titleOf(open)} onClose={close}>
        {open?.kind === 'invite' && <InviteDialog onClose={close} onInvited={markInvited} />}
        {open?.kind === 'edit' && <EditRoleDialog colleague={open.colleague} onClose={close} />}
        {open?.kind === 'revoke' && (
          <RevokeDialog
            colleague={open.colleague}
            onClose={close}
            onRevoked={() => setRevoked((before) => new Set([...before, open.colleague.uuid]))}
          />
        )}
      </DialogPart>
    </>
  )
}

/** The titles of the dialogs, before these are fetched. */
function titleOf(open: Open): string {
  if (open?.kind === 'edit') return `Edit ${nameOf(open.colleague)}`
  if (open?.kind === 'revoke') return `Revoke ${nameOf(open.colleague)}’s access?`
  return 'Invite a user'
}

function whyNot(mayRead: boolean): string {
  return mayRead
    ? 'You can see who works here. Only an owner can invite, edit or remove users.'
    : 'Only managers and owners see who works here. Please ask one of them.'
}

interface TeamProps {
  revoked: ReadonlySet<string>
  onAct: ((kind: 'edit' | 'revoke', colleague: Colleague) => void) | undefined
}

function Team({ revoked, onAct }: TeamProps) {
  const team = useQuery({ ...teamQuery(merchantKey()), retryOnMount: false })
  if (team.isPending)
    return (
      <div className={styles.pending}>
        <Spinner label="Loading the users" />
      </div>
    )
  if (team.isError) return <FailedNote text={messages.usersFailed} onRetry={() => void team.refetch()} />
  if (team.data.items.length === 0) return <EmptyNote text="Nobody works here yet" />
  return <UsersList colleagues={team.data.items} revoked={revoked} onAct={onAct} />
}
