import { idCheckLabels, idCheckWords, readingWords } from '@cellarhand/contract/age-check'
import {
  ageCheckMethodLabels,
  owesRestocking,
  restockingFee,
  refusedHandOverLabels,
} from '@cellarhand/contract/door-checks'
import { formatDollars } from '@cellarhand/contract/money'
import { isLocal } from '@cellarhand/contract/order-statuses'
import IconExternalLink from '@tabler/icons-react/dist/esm/icons/IconExternalLink.mjs'
import IconRefresh from '@tabler/icons-react/dist/esm/icons/IconRefresh.mjs'
import type { OrderPartProps } from '#orders/public.ts'
import { allowedActions, useWhyItWaits } from '#orders/public.ts'
import { formatDay } from '#lib/time/dates.ts'
import { Fact } from '#ui/blocks/block.tsx'
import type { ButtonProps } from '#ui/blocks/button.tsx'
import { Button } from '#ui/blocks/button.tsx'
import { Moment } from '#ui/blocks/moment.tsx'
import { courierWords } from './courier-words.ts'
import styles from './delivery-parts.module.css'
import { useCourierRefresh } from './use-courier.ts'

/** The courier's state, and the age check at the door. */
export function CourierPart(props: OrderPartProps) {
  const { order, onStep } = props
  const { courier_info: info } = order
  const canRequest = allowedActions(order).has('request_courier')
  const waits = useWhyItWaits(order)
  return (
    <>
      {(info !== null || canRequest) && (
        <Fact name="Courier">
          {info && (
            <div>
              <b>{info.provider ?? 'Courier'}</b>: {courierWords(info.order_status)}
            </div>
          )}
          {info?.tracking_url && (
            <a className={styles.link} href={info.tracking_url} target="_blank" rel="noopener noreferrer">
              Follow the courier <IconExternalLink size={14} aria-label="(opens in a new tab)" />
            </a>
          )}
          <div className={styles.buttons}>
            {canRequest && (
              <Button
                size="small"
                disabled={waits !== undefined}
                title={waits}
                onClick={() => onStep('courier')}
              >
                REQUEST PICKUP
              </Button>
            )}
            {info && (
              <Button look="plain" size="small" onClick={() => onStep('courier_details')}>
                Courier details
              </Button>
            )}
            {info && order.status === 'MERCHANT_ACCEPTED' && <RefreshButton order={order} size="small" />}
          </div>
        </Fact>
      )}
      <AgeCheck {...props} />
    </>
  )
}

export function RefreshButton({ order, size }: Pick<OrderPartProps, 'order'> & Pick<ButtonProps, 'size'>) {
  const refresh = useCourierRefresh(order)
  return (
    <Button look="plain" size={size ?? 'normal'} isBusy={refresh.isPending} onClick={() => refresh.mutate()}>
      <IconRefresh size={16} aria-hidden /> Refresh courier
    </Button>
  )
}

function AgeCheck({ order, timezone, onStep }: OrderPartProps) {
  const { age_check: check } = order
  if (!check) {
    const isDelivered = order.status === 'CLOSED' && isLocal(order.delivery.method)
    if (!isDelivered) return null
    return (
      <Fact name="Age check">
        {idCheckWords(order)}
        <ReliedOn order={order} />
      </Fact>
    )
  }
  const method = check.method === null ? '' : `, ${ageCheckMethodLabels[check.method]}`
  const isEarlier = order.status === 'CLOSED' && check.result !== 'passed'
  return (
    <Fact name="Age check">
      {isEarlier && <div>{idCheckWords(order)}, and at an earlier visit:</div>}
      {idCheckLabels[check.result]}
      {method}
      {check.reading && <div>{readingWords(check.reading)}</div>}
      {check.reason !== null && <div>Not handed over: {refusedHandOverLabels[check.reason]}</div>}
      <div className={styles.quiet}>
        {check.checked_by}, <Moment at={check.checked_at} timezone={timezone} />
      </div>
      {owesRestocking(order) && allowedActions(order).has('reject') && (
        <div className={styles.refused}>
          <span>
            Once the bottles are back, reject the order. The marketplace is told the restocking fee of{' '}
            {formatDollars(restockingFee)}.
          </span>
          <Button look="plain" size="small" onClick={() => onStep('reject')}>
            Reject the order
          </Button>
        </div>
      )}
    </Fact>
  )
}

/** No check is on record: a service that sends no result was relied on, and an owner answers for that. */
function ReliedOn({ order: { duties } }: Pick<OrderPartProps, 'order'>) {
  const relied = duties?.relied_on
  if (relied === undefined) return null
  return (
    <div className={styles.quiet}>
      Under its agreement with the shop; {relied.service} sends no result. Confirmed by {relied.by},{' '}
      {formatDay(relied.on)}
    </div>
  )
}

// In one chunk with this one: each chunk's name adds to the first script.
export { DirectionsPart } from './directions-part.tsx'
export { InstructionsPart } from './instructions-part.tsx'
