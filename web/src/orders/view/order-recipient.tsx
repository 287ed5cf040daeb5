import { addressLines } from '@cellarhand/contract/address-lines'
import { isLocal } from '@cellarhand/contract/order-statuses'
import IconExternalLink from '@tabler/icons-react/dist/esm/icons/IconExternalLink.mjs'
import { use, useState } from 'react'
import { config } from '#lib/calls/config.ts'
import { formatDate } from '#lib/time/dates.ts'
import { Block, Fact } from '#ui/blocks/block.tsx'
import { Button } from '#ui/blocks/button.tsx'
import { Moment } from '#ui/blocks/moment.tsx'
import { PhoneLink } from '#ui/blocks/phone-link.tsx'
import { Spinner } from '#ui/blocks/spinner.tsx'
import { recipientName } from '../order/facts.ts'
import type { Step } from '../order/next-step.ts'
import { allowedActions } from '../state/allowed-actions.ts'
import { isCompletedFlagged } from '../order/next-step.ts'
import type { OrderPartProps } from './order-parts.ts'
import { OrderPart } from './order-part.tsx'
import { OrderParts } from './order-parts.ts'
import type { Order } from '../state/queries.ts'
import styles from '../order/order-blocks.module.css'
import { useWhyItWaits } from '../order/unconfirmed.ts'

interface Props {
  order: Order
  timezone: string
  onStep: (step: Step, from?: Step) => void
}

export function OrderRecipient({ order, timezone, onStep }: Props) {
  const { recipient, customer, delivery_info: delivered } = order
  const part = { order, timezone, onStep, isReadOnly: isCompletedFlagged(order) }
  return (
    <Block title="Recipient, customer and delivery">
      <div className={styles.recipient}>
        <dl className={styles.facts}>
          <Fact name="Recipient">
            <b>{recipientName(order)}</b>
            {addressLines(recipient).map((line) => (
              <div key={line}>{line}</div>
            ))}
            {recipient.phone_number && (
              <div>
                <PhoneLink number={recipient.phone_number} />
              </div>
            )}
            {allowedActions(order).has('correct_address') && (
              <Button look="plain" size="small" onClick={() => onStep('address')}>
                Correct Address
              </Button>
            )}
          </Fact>
          <Fact name="Customer">
            {customer.first_name} {customer.last_name}
            {customer.email && <div className={styles.quiet}>{customer.email}</div>}
            {customer.phone_number && (
              <div>
                <PhoneLink number={customer.phone_number} />
              </div>
            )}
            {customer.last_order && (
              <div className={styles.quiet}>last order {formatDate(customer.last_order, timezone)}</div>
            )}
          </Fact>
          <Instructions {...part} />
          <OrderPart place="directions" {...part} />
          <OrderPart place="courier" {...part} />
          <Tracking order={order} onStep={onStep} />
          <OrderPart place="labels" {...part} />
          {delivered && (
            <>
              <Fact name="Delivered">
                {delivered.delivered_on && <Moment at={delivered.delivered_on} timezone={timezone} />}
              </Fact>
              <Fact name="Delivered by">{delivered.delivered_by}</Fact>
              <Fact name="Signed by">{delivered.signed_by}</Fact>
            </>
          )}
        </dl>
        <StaticMap address={addressLines(recipient).join(', ')} />
      </div>
    </Block>
  )
}

/** Shown here; the app provides the part that changes them. */
function Instructions(part: OrderPartProps) {
  const isEditable = use(OrderParts).instructions !== undefined
  if (isEditable) return <OrderPart place="instructions" {...part} />
  return <Fact name="Instructions">{part.order.recipient.delivery_instructions}</Fact>
}

function Tracking({ order, onStep }: { order: Order; onStep: (step: Step) => void }) {
  const waits = useWhyItWaits(order)
  if (isLocal(order.delivery.method)) return null
  if (allowedActions(order).has('save_tracking')) {
    return (
      <Fact name="Tracking">
        <Button
          look="plain"
          size="small"
          disabled={waits !== undefined}
          title={waits}
          onClick={() => onStep('track')}
        >
          Enter tracking details
        </Button>
      </Fact>
    )
  }
  if (!['MERCHANT_SHIPPED', 'CLOSED'].includes(order.status)) return null
  return (
    <Fact name="Tracking">
      {order.shipment_info.map(({ carrier, tracking_code, tracking_url }) => (
        <div key={tracking_code}>
          {carrier} <TrackingCode code={tracking_code} url={tracking_url} />
        </div>
      ))}
    </Fact>
  )
}

function TrackingCode({ code, url }: { code: string; url: string | null }) {
  if (!url) return <span>{code}</span>
  return (
    <a className={styles.link} href={url} target="_blank" rel="noopener noreferrer">
      {code} <IconExternalLink size={14} aria-label="(opens in a new tab)" />
    </a>
  )
}

function StaticMap({ address }: { address: string }) {
  const [state, setState] = useState<'loading' | 'shown' | 'failed'>('loading')
  const query = new URLSearchParams({ center: address, zoom: '16', size: '640x480' })
  return (
    <div className={styles.map}>
      {state === 'loading' && <Spinner label="Loading the map" />}
      {state === 'failed' ? (
        <span className={styles.quiet}>No map available</span>
      ) : (
        <img
          src={`${config.apiBase}/maps/static?${query.toString()}`}
          alt={`Map of ${address}`}
          width={640}
          height={480}
          hidden={state === 'loading'}
          onLoad={() => setState('shown')}
          onError={() => setState('failed')}
        />
      )}
    </div>
  )
}
