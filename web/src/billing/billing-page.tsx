import IconLock from '@tabler/icons-react/dist/esm/icons/IconLock.mjs'
import { useQuery, type QueryClient } from '@tanstack/react-query'
import { Suspense } from 'react'
import { config } from '#lib/calls/config.ts'
import { OutsideServices } from '#merchants/public.ts'
import { can, merchantKey, useCan } from '#sign-in/public.ts'
import { MantineRoot } from '#ui/theme/mantine-root.tsx'
import { FailedNote } from '#ui/notes/notes.tsx'
import { Notice } from '#ui/notes/notice.tsx'
import { Spinner } from '#ui/blocks/spinner.tsx'
import { BankAccountForm } from './bank-account-form.tsx'
import styles from './billing-page.module.css'
import { PaymentAccount } from './payment-account.tsx'
import { billingQuery } from './queries.ts'
import { TermsCard } from './terms-card.tsx'

const uses = ['payments', 'mail', 'news', 'files', 'events', 'errors'] as const

/** The payment account is not awaited: the server asks the provider for it. */
export async function load(queryClient: QueryClient): Promise<void> {
  if (can('billing.read')) await queryClient.prefetchQuery({ ...billingQuery(merchantKey()), staleTime: 0 })
}

export function BillingPage() {
  const may = useCan()
  return (
    <>
      <h1>Billing</h1>
      {may('billing.read') ? (
        <MantineRoot>
          <div className={styles.cards}>
            <PaymentAccount />
            <Records />
            <Suspense>
              <OutsideServices uses={uses} hasMails />
            </Suspense>
          </div>
        </MantineRoot>
      ) : (
        <Notice icon={IconLock}>Only an owner can set up payments. Please ask one.</Notice>
      )}
    </>
  )
}

function Records() {
  const billing = useQuery({ ...billingQuery(merchantKey()), retryOnMount: false })
  if (billing.data) {
    return (
      <>
        <TermsCard billing={billing.data} />
        {config.showsLegacyBilling && <BankAccountForm billing={billing.data} />}
      </>
    )
  }
  if (billing.isError)
    return (
      <FailedNote text="The billing record could not be loaded." onRetry={() => void billing.refetch()} />
    )
  return (
    <div className={styles.pending}>
      <Spinner label="Loading the billing record" />
    </div>
  )
}
