import { messages } from '@cellarhand/contract/messages'
import { formatDollars } from '@cellarhand/contract/money'
import { formatPhone, usDigits } from '@cellarhand/contract/phone'
import { config } from '#lib/calls/config.ts'
import type { Order, SearchFilter } from '../state/queries.ts'
import { recipientName } from '../order/facts.ts'
import { highlight } from './highlight.ts'
import styles from './order-search.module.css'
import { StatusPill } from '../order/status-pill.tsx'

interface HitsProps {
  id: string
  label: string
  hits: readonly Order[]
  filter: SearchFilter
  active: number
  onOpen: (order: Order) => void
}

interface Props extends HitsProps {
  isShown: boolean
  isError: boolean
  isAnswered: boolean
  total: number | undefined
}

export function SearchAnswer({ isShown, isError, isAnswered, total = 0, ...props }: Props) {
  return (
    <>
      {props.hits.length > 0 && <SearchHits {...props} />}
      {/* Here before its words, so that a screen reader says them. */}
      <p className={styles.message} role="status">
        {isShown && wordsOf({ isError, isAnswered, count: props.hits.length, total, by: props.filter.by })}
      </p>
    </>
  )
}

function SearchHits({ id, label, hits, filter, active, onOpen }: HitsProps) {
  return (
    <div id={`${id}-hits`} role="listbox" aria-label={`${label} results`}>
      {hits.map((order, index) => (
        <Hit
          key={order.id}
          id={`${id}-${index}`}
          order={order}
          filter={filter}
          isActive={index === active}
          onOpen={() => onOpen(order)}
        />
      ))}
    </div>
  )
}

interface HitProps {
  id: string
  order: Order
  filter: SearchFilter
  isActive: boolean
  onOpen: () => void
}

function Hit({ id, order, filter, isActive, onOpen }: HitProps) {
  const { first_name: first, last_name: last, email } = order.customer
  const customer = `${first} ${last}`.trim()
  const recipient = recipientName(order)
  const marked = (by: SearchFilter['by'], text: string) =>
    filter.by === by ? <Marked text={text} wanted={filter.text} /> : text
  return (
    <div
      id={id}
      role="option"
      aria-selected={isActive}
      tabIndex={-1}
      className={styles.hit}
      onMouseDown={(event) => event.preventDefault()}
      onClick={onOpen}
    >
      <span className={styles.line}>
        <b>#{filter.by === 'search' ? <MarkedNumber number={order.id} wanted={filter.text} /> : order.id}</b>
        <StatusPill order={order} />
        <b>{formatDollars(order.transaction.total)}</b>
      </span>
      <span>To: {marked('recipient_name', customer)}</span>
      {recipient !== customer && (
        <span className={styles.item}>Recipient: {marked('recipient_name', recipient)}</span>
      )}
      {saidOf(order, filter.text).map((said) => (
        <span key={said} className={styles.item}>
          {said}
        </span>
      ))}
      {filter.by === 'customer_email' && email && (
        <span className={styles.item}>{marked('customer_email', email)}</span>
      )}
      {order.items.map((item) => (
        <span key={item.id} className={styles.item}>
          <span>
            {item.quantity} × {item.name}
            {item.description && <small> {item.description}</small>}
          </span>
          <span>{formatDollars(item.price)}</span>
        </span>
      ))}
    </div>
  )
}

/** What else the order was found by: a street, a phone number, a post code or a tracking number. */
function saidOf({ recipient, customer, shipment_info: parcels }: Order, typed: string): string[] {
  const plain = (text: string): string => text.replaceAll(/[^0-9A-Za-z]/g, '').toUpperCase()
  const wanted = plain(typed)
  if (wanted.length < 5) return []
  const digits = usDigits(typed)
  const phones = [recipient.phone_number, customer.phone_number].flatMap((phone) =>
    phone && digits !== undefined && usDigits(phone) === digits ? [`Phone ${formatPhone(phone)}`] : [],
  )
  const zips = plain(recipient.zipcode).startsWith(wanted) ? [`Post code ${recipient.zipcode}`] : []
  const [house = '', name] = typed.trim().split(/\s+/)
  const isStreet = name !== undefined && /^\d/.test(house) && /[a-z]/i.test(typed.slice(house.length))
  const streets = isStreet && recipient.street_1.split(/\s+/)[0] === house ? [recipient.street_1] : []
  const codes = parcels.map(({ tracking_code: code }) => code).filter((code) => plain(code) === wanted)
  return [...new Set([...streets, ...phones, ...zips, ...codes.map((code) => `Tracking ${code}`)])]
}

/** A number is found by its beginning, with or without its hash; the same digits further on are no hit. */
function MarkedNumber({ number, wanted }: { number: string; wanted: string }) {
  const beginning = wanted.trim().replace(/^\D/, '')
  return (
    <>
      <Marked text={number.slice(0, beginning.length)} wanted={beginning} />
      {number.slice(beginning.length)}
    </>
  )
}

function Marked({ text, wanted }: { text: string; wanted: string }) {
  return (
    <span>
      {highlight(text, wanted).map((piece, index) =>
        piece.isHit ? (
          <mark key={index} className={styles.mark}>
            {piece.text}
          </mark>
        ) : (
          piece.text
        ),
      )}
    </span>
  )
}

interface Outcome {
  isError: boolean
  isAnswered: boolean
  count: number
  total: number
  by: SearchFilter['by']
}

const noHit = {
  search: messages.invalidOrderId(config.productName),
  customer_email: messages.noEmailHits,
  recipient_name: messages.noNameHits,
}

function wordsOf({ isError, isAnswered, count, total, by }: Outcome): string {
  if (isError) return `${messages.somethingWentWrong}. Press Enter to try again.`
  if (!isAnswered) return 'Searching'
  if (count === 0) return noHit[by]
  if (total <= count) return ''
  return `The newest ${count} are shown. Type more to find the one.`
}
