import { messages } from '@cellarhand/contract/messages'
import { namedAs } from '@cellarhand/contract/product-name'
import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs'
import IconExternalLink from '@tabler/icons-react/dist/esm/icons/IconExternalLink.mjs'
import { useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query'
import type { MouseEvent } from 'react'
import { useEffect } from 'react'
import { config } from '#lib/calls/config.ts'
import { merchantQuery } from '#merchants/public.ts'
import { merchantKey } from '#sign-in/public.ts'
import { Block } from '#ui/blocks/block.tsx'
import { Button, buttonClass } from '#ui/blocks/button.tsx'
import { Notice } from '#ui/notes/notice.tsx'
import { Spinner } from '#ui/blocks/spinner.tsx'
import styles from './billing-page.module.css'
import { onboardingQuery, paymentAccountQuery, type Onboarding } from './queries.ts'

const FRESH_MS = 60_000

/** The merchant's payment account has four states, of which the server knows three (BILL-003 to BILL-006). */
export function PaymentAccount() {
  const queryClient = useQueryClient()
  const tmk = merchantKey()
  const onboarding = useQuery(onboardingQuery(tmk))
  const { data: merchant } = useQuery(merchantQuery(tmk))
  // The server has just asked the provider, so the merchant's status may be new.
  useEffect(() => {
    if (onboarding.dataUpdatedAt === 0) return
    void queryClient.invalidateQueries(merchantQuery(tmk))
    void queryClient.invalidateQueries(paymentAccountQuery(tmk))
  }, [onboarding.dataUpdatedAt, queryClient, tmk])
  return (
    <Block title="Payment Account">
      <div className={styles.card}>
        <p className={styles.soft}>{messages.providerSwitch}</p>
        {onboarding.isPending ? (
          <Spinner label="Loading your payment account" />
        ) : (
          <WayOn onboarding={onboarding} isSetUp={merchant?.paymentSetUp === true} />
        )}
      </div>
    </Block>
  )
}

interface WayOnProps {
  /** A prop, because a second observer would ask again on each mount, and after a failure without end. */
  readonly onboarding: UseQueryResult<Onboarding>
  readonly isSetUp: boolean
}

function WayOn({ onboarding, isSetUp }: WayOnProps) {
  const { data, error, dataUpdatedAt, isFetching, refetch } = onboarding
  const address = data?.login_link ?? data?.onboarding_data?.url
  if (error || !data || !address) {
    return (
      <>
        <Notice icon={IconAlertTriangle} hue="red">
          {namedAs(config.productName, messages.stripeIssue)}
        </Notice>
        <Button look="plain" isBusy={isFetching} onClick={() => void refetch()}>
          Try Again
        </Button>
      </>
    )
  }
  const open = (event: MouseEvent): void => {
    if (Date.now() - dataUpdatedAt < FRESH_MS) return
    event.preventDefault()
    void refetch().then(({ data: fresh }) => {
      const next = fresh?.login_link ?? fresh?.onboarding_data?.url
      if (next) location.assign(next)
    })
  }
  if (data.login_link) {
    return (
      <>
        <p>
          {isSetUp
            ? 'Payments are set up, and orders come in.'
            : 'Everything was handed in and is being checked. Orders come in once the account is active.'}
        </p>
        <a
          className={`${buttonClass} ${styles.way}`}
          data-look="plain"
          data-size="normal"
          href={address}
          onClick={open}
        >
          Go to your payments dashboard
          <IconExternalLink size={16} aria-hidden />
        </a>
      </>
    )
  }
  return (
    <>
      <p>The payment provider needs something from you before the store can receive orders.</p>
      <a
        className={`${buttonClass} ${styles.way}`}
        data-look="primary"
        data-size="normal"
        href={address}
        onClick={open}
      >
        Set up payments
        <IconExternalLink size={16} aria-hidden />
      </a>
    </>
  )
}
