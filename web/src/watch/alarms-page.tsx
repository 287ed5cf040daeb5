import IconLock from '@tabler/icons-react/dist/esm/icons/IconLock.mjs'
import { useQuery, type QueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { can, merchantKey, useCan } from '#sign-in/public.ts'
import { Spinner } from '#ui/blocks/spinner.tsx'
import { LeaveGuard } from '#ui/dialogs/leave-guard.tsx'
import { FailedNote } from '#ui/notes/notes.tsx'
import { Notice } from '#ui/notes/notice.tsx'
import styles from './alarms-page.module.css'
import { PushCard } from './push-card.tsx'
import { alarmRulesQuery, pushQuery, watchQuery } from './queries.ts'
import { RulesForm } from './rules-form.tsx'
import { WatchForm } from './watch-form.tsx'

export async function load(queryClient: QueryClient): Promise<void> {
  const tmk = merchantKey()
  const ofDevices = queryClient.prefetchQuery({ ...pushQuery(tmk), staleTime: 0 })
  if (!can('company.edit')) return ofDevices
  await Promise.all([
    ofDevices,
    queryClient.prefetchQuery({ ...alarmRulesQuery(tmk), staleTime: 0 }),
    queryClient.prefetchQuery({ ...watchQuery(tmk), staleTime: 0 }),
  ])
}

/** When late orders ring, the people who are told when nobody watches, and the messages to the device in hand. */
export function AlarmsPage() {
  const mayEdit = useCan()('company.edit')
  return (
    <>
      <h1>Alarms</h1>
      <div className={styles.cards}>
        {mayEdit ? (
          <AlarmForms />
        ) : (
          <Notice icon={IconLock}>
            Only managers and owners can change the store’s alarms. Please ask one of them.
          </Notice>
        )}
        <PushCard />
      </div>
    </>
  )
}

function AlarmForms() {
  const tmk = merchantKey()
  const rules = useQuery({ ...alarmRulesQuery(tmk), retryOnMount: false })
  const watch = useQuery({ ...watchQuery(tmk), retryOnMount: false })
  const [dirty, setDirty] = useState({ rules: false, watch: false })
  if (rules.data && watch.data) {
    return (
      <>
        <RulesForm
          saved={rules.data}
          onDirty={(isDirty) => setDirty((before) => ({ ...before, rules: isDirty }))}
        />
        <WatchForm
          saved={watch.data}
          onDirty={(isDirty) => setDirty((before) => ({ ...before, watch: isDirty }))}
        />
        <LeaveGuard isDirty={dirty.rules || dirty.watch} />
      </>
    )
  }
  if (rules.isError || watch.isError) {
    const retry = (): void => {
      void rules.refetch()
      void watch.refetch()
    }
    return <FailedNote text="The store’s alarms could not be loaded." onRetry={retry} />
  }
  return (
    <div className={styles.pending}>
      <Spinner label="Loading the alarms" />
    </div>
  )
}
