import IconLock from '@tabler/icons-react/dist/esm/icons/IconLock.mjs'
import { useQuery, type QueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { merchantKey, useCan } from '#sign-in/public.ts'
import { LeaveGuard } from '#ui/dialogs/leave-guard.tsx'
import { MantineRoot } from '#ui/theme/mantine-root.tsx'
import { FailedNote } from '#ui/notes/notes.tsx'
import { Notice } from '#ui/notes/notice.tsx'
import { Spinner } from '#ui/blocks/spinner.tsx'
import styles from './company-page.module.css'
import { DeliveryHours } from './delivery-hours.tsx'
import { hoursQuery, substitutesQuery } from './company-queries.ts'
import { merchantQuery } from './queries.ts'
import { SubstituteSettingsCard } from './substitute-settings.tsx'
import { StoreDetails } from './store-details.tsx'

export async function load(queryClient: QueryClient): Promise<void> {
  const tmk = merchantKey()
  await Promise.all([
    queryClient.prefetchQuery({ ...merchantQuery(tmk), staleTime: 0 }),
    queryClient.prefetchQuery({ ...hoursQuery(tmk), staleTime: 0 }),
    queryClient.prefetchQuery({ ...substitutesQuery(tmk), staleTime: 0 }),
  ])
}

export function CompanyPage() {
  const can = useCan()
  return (
    <>
      <h1>Company</h1>
      {can('company.edit') ? (
        <MantineRoot>
          <CompanyForms />
        </MantineRoot>
      ) : (
        <Notice icon={IconLock}>
          Only managers and owners can change the store’s details. Please ask one of them.
        </Notice>
      )}
    </>
  )
}

function CompanyForms() {
  const tmk = merchantKey()
  const merchant = useQuery({ ...merchantQuery(tmk), retryOnMount: false })
  const hours = useQuery({ ...hoursQuery(tmk), retryOnMount: false })
  const substitutes = useQuery({ ...substitutesQuery(tmk), retryOnMount: false })
  const [dirty, setDirty] = useState({ details: false, hours: false, substitutes: false })
  if (merchant.data && hours.data && substitutes.data) {
    return (
      <div className={styles.cards}>
        <StoreDetails
          merchant={merchant.data}
          onDirty={(isDirty) => setDirty((before) => ({ ...before, details: isDirty }))}
        />
        <DeliveryHours
          hours={hours.data}
          timezone={merchant.data.timezone}
          onDirty={(isDirty) => setDirty((before) => ({ ...before, hours: isDirty }))}
        />
        <SubstituteSettingsCard
          saved={substitutes.data}
          onDirty={(isDirty) => setDirty((before) => ({ ...before, substitutes: isDirty }))}
        />
        <LeaveGuard isDirty={dirty.details || dirty.hours || dirty.substitutes} />
      </div>
    )
  }
  if (merchant.isError || hours.isError || substitutes.isError) {
    const retry = (): void => {
      void merchant.refetch()
      void hours.refetch()
      void substitutes.refetch()
    }
    return <FailedNote text="The store’s details could not be loaded." onRetry={retry} />
  }
  return (
    <div className={styles.pending}>
      <Spinner label="Loading the store’s details" />
    </div>
  )
}
