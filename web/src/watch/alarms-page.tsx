import IconLock from '@tabler/icons-react/dist/esm/icons/IconLock.mjs'
import { useQuery, type QueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { merchantKey, useCan } from '#sign-in/public.ts'
import { Spinner } from '#ui/blocks/spinner.tsx'
import { LeaveGuard } from '#ui/dialogs/leave-guard.tsx'
import { FailedNote } from '#ui/notes/notes.tsx'
import { Notice } from '#ui/notes/notice.tsx'
import styles from './alarms-page.module.css'
import { alarmRulesQuery, watchQuery } from './queries.ts'
import { RulesForm } from './rules-form.tsx'
import { WatchForm } from './watch-form.tsx'

export async function load(queryClient: QueryClient): Promise<void> {
  const tmk = merchantKey()
  await Promise.all([
    queryClient.prefetchQuery({ ...alarmRulesQuery(tmk), staleTime: 0 }),
    queryClient.prefetchQuery({ ...watchQuery(tmk), staleTime: 0 }),
  ])
}

/** When late orders ring, and the people who are told when nobody watches. */
export function AlarmsPage() {
  const can = useCan()
  return (
    <>
      <h1>Alarms</h1>
      {can('company.edit') ? (
        <AlarmForms />
      ) : (
        <Notice icon={IconLock}>
          Only managers and owners can change the store’s alarms. Please ask one of them.
        </Notice>
      )}
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
      <div className={styles.cards}>
        <RulesForm
          saved={rules.data}
          onDirty={(isDirty) => setDirty((before) => ({ ...before, rules: isDirty }))}
        />
        <WatchForm
          saved={watch.data}
          onDirty={(isDirty) => setDirty((before) => ({ ...before, watch: isDirty }))}
        />
        <LeaveGuard isDirty={dirty.rules || dirty.watch} />
      </div>
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
