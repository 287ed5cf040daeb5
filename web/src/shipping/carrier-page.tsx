import IconExternalLink from '@tabler/icons-react/dist/esm/icons/IconExternalLink.mjs'
import IconLock from '@tabler/icons-react/dist/esm/icons/IconLock.mjs'
import { useQuery, type QueryClient } from '@tanstack/react-query'
import { Suspense } from 'react'
import { config } from '#lib/calls/config.ts'
import { OutsideServices } from '#merchants/public.ts'
import { merchantKey, useCan } from '#sign-in/public.ts'
import { Block } from '#ui/blocks/block.tsx'
import { buttonClass } from '#ui/blocks/button.tsx'
import { MantineRoot } from '#ui/theme/mantine-root.tsx'
import { FailedNote } from '#ui/notes/notes.tsx'
import { Notice } from '#ui/notes/notice.tsx'
import { Spinner } from '#ui/blocks/spinner.tsx'
import { CarrierForm } from './carrier-form.tsx'
import { carrierAccountQuery } from './queries.ts'
import styles from './carrier-page.module.css'

const uses = ['labels', 'couriers', 'texts', 'maps'] as const

export async function load(queryClient: QueryClient): Promise<void> {
  await queryClient.prefetchQuery({ ...carrierAccountQuery(merchantKey()), staleTime: 0 })
}

export function CarrierPage() {
  const can = useCan()
  const mayEdit = can('carrier.edit')
  const {
    data: account,
    isError,
    refetch,
  } = useQuery({ ...carrierAccountQuery(merchantKey()), retryOnMount: false })
  return (
    <>
      <h1>Carrier Account</h1>
      <div className={styles.cards}>
        <PartnerCard />
        <Block title="Carrier Account">
          {!mayEdit && (
            <div className={styles.note}>
              <Notice icon={IconLock}>Only a manager or an owner can change the carrier account.</Notice>
            </div>
          )}
          {account === undefined ? (
            <div className={styles.pending}>
              {isError ? (
                <FailedNote text="The carrier account could not be loaded." onRetry={() => void refetch()} />
              ) : (
                <Spinner label="Loading the carrier account" />
              )}
            </div>
          ) : (
            <MantineRoot>
              <CarrierForm account={account} mayEdit={mayEdit} />
            </MantineRoot>
          )}
        </Block>
        {can('billing.read') && (
          <Suspense>
            <OutsideServices uses={uses} />
          </Suspense>
        )}
      </div>
    </>
  )
}

/** The advertisement of the group-purchasing partner (CARR-001); a setting of the server gives its link. */
function PartnerCard() {
  return (
    <aside className={styles.partner} aria-labelledby="partner-title">
      <h2 id="partner-title">Ship for less with our purchasing group</h2>
      <p>
        Independent retailers buy their parcel rates together and pay what the largest shippers pay. Joining
        is free, and your account number works here from the first label.
      </p>
      {config.carrierPartnerUrl !== '' && (
        <a
          className={buttonClass}
          data-look="plain"
          data-size="normal"
          href={config.carrierPartnerUrl}
          target="_blank"
          rel="noopener noreferrer"
        >
          See group rates&nbsp;
          <IconExternalLink size={16} aria-label="(opens in a new tab)" />
        </a>
      )}
    </aside>
  )
}
