import IconChevronDown from '@tabler/icons-react/dist/esm/icons/IconChevronDown.mjs'
import IconCircleCheck from '@tabler/icons-react/dist/esm/icons/IconCircleCheck.mjs'
import IconCloudOff from '@tabler/icons-react/dist/esm/icons/IconCloudOff.mjs'
import IconCloudUpload from '@tabler/icons-react/dist/esm/icons/IconCloudUpload.mjs'
import IconHandStop from '@tabler/icons-react/dist/esm/icons/IconHandStop.mjs'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { formatDate, formatTime } from '#lib/time/dates.ts'
import { useTimezone } from '#merchants/public.ts'
import { Button } from '#ui/blocks/button.tsx'
import { toast } from '#ui/notes/toasts.tsx'
import { OrderLink } from '../order/order-link.tsx'
import { recipientName } from '../order/facts.ts'
import { knownOrder } from '../state/order-cache.ts'
import { liveState } from '../state/live-state.ts'
import type { Decision } from './decision-queue.ts'
import { canUndo, isOpen } from './decision-queue.ts'
import { lineState } from './line-state.ts'
import styles from './offline-desk.module.css'
import { canWait, closeAnswered, decisions, undo } from './waiting.ts'

/** The state of a cut line, and the decisions that wait for it. */
export function OfflineDesk() {
  return (
    <>
      <Band />
      <NotSent />
    </>
  )
}

function Band() {
  const isAway = lineState.use() === 'away'
  const state = liveState.use()
  const timezone = useTimezone()
  if (!isAway || state.kind !== 'reconnecting') return null
  const { since } = state
  return (
    <div className={styles.band} role="status">
      <IconCloudOff size={22} aria-hidden />
      <p>
        <b>No connection.</b> You see the orders as of {formatDate(since, timezone)},{' '}
        {formatTime(since, timezone)}. {canWait() && 'You can accept and reject.'}
        <small>Labels, couriers, counts and new orders need the connection.</small>
      </p>
    </div>
  )
}

function NotSent() {
  const queue = decisions.use()
  const [isShut, setShut] = useState(false)
  if (queue.length === 0) return null
  const open = queue.filter(isOpen).length
  const sent = queue.filter(({ state }) => state === 'done').length
  const title = open > 0 ? 'Not sent yet' : 'Sent after the cut'
  return (
    <section className={styles.queue} aria-label={title}>
      <h2>
        <button type="button" aria-expanded={!isShut} onClick={() => setShut(!isShut)}>
          <IconCloudUpload size={18} aria-hidden />
          {title}
          <span>{open > 0 ? `${open}, in this order` : `${sent} of ${queue.length}`}</span>
          <IconChevronDown size={18} aria-hidden />
        </button>
      </h2>
      {!isShut && (
        <>
          <ol>
            {queue.map((each) => (
              <Item key={each.key} decision={each} />
            ))}
          </ol>
          <div className={styles.foot}>
            <p>
              {open > 0
                ? 'Kept on this device, also through a reload. Each is sent once when the connection is back.'
                : 'This list stays until you close it.'}
            </p>
            {open < queue.length && (
              <Button look="plain" onClick={() => void closeAnswered()}>
                {open > 0 ? 'Clear sent' : 'Close'}
              </Button>
            )}
          </div>
        </>
      )}
    </section>
  )
}

const signs = {
  calling: IconCloudUpload,
  waiting: IconCloudUpload,
  sending: IconCloudUpload,
  done: IconCircleCheck,
  refused: IconHandStop,
}
const verbs = {
  accept: { open: 'Accept', done: 'Accepted', refused: 'was not accepted' },
  reject: { open: 'Reject', done: 'Rejected', refused: 'was not rejected' },
}

function Item({ decision }: { decision: Decision }) {
  const { key, orderId, decided, state } = decision
  const timezone = useTimezone()
  const queryClient = useQueryClient()
  const Sign = signs[state]
  const order = knownOrder(queryClient, orderId)
  const link = <OrderLink id={orderId}>#{orderId}</OrderLink>
  const takeBack = async (): Promise<void> => {
    if (!(await undo(key))) toast('error', `#${orderId} was already sent`)
  }
  return (
    <li data-state={state}>
      <Sign size={18} aria-hidden />
      <p>
        <b>
          {state === 'refused' ? (
            <>
              {link} {verbs[decided].refused}
            </>
          ) : (
            <>
              {state === 'done' ? verbs[decided].done : verbs[decided].open} {link}
            </>
          )}
        </b>
        <small>
          {[order && recipientName(order), detailOf(decision, timezone)].filter(Boolean).join(' · ')}
        </small>
      </p>
      {canUndo(decision) && (
        <Button look="plain" onClick={() => void takeBack()} aria-label={`Undo ${decided} of #${orderId}`}>
          Undo
        </Button>
      )}
    </li>
  )
}

function detailOf({ state, words, pressedAt, answeredAt = 0, isTried }: Decision, timezone: string): string {
  if (state === 'refused') return words ?? ''
  if (state === 'done') return `confirmed ${formatTime(answeredAt, timezone)}`
  const pressed = `pressed ${formatTime(pressedAt, timezone)}`
  if (state === 'sending') return `${pressed}, being sent`
  return isTried ? `${pressed}, without an answer so far; it may be done already` : pressed
}
