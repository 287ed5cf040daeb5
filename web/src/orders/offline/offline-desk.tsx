import IconChevronDown from '@tabler/icons-react/dist/esm/icons/IconChevronDown.mjs'
import IconCircleCheck from '@tabler/icons-react/dist/esm/icons/IconCircleCheck.mjs'
import IconCloudOff from '@tabler/icons-react/dist/esm/icons/IconCloudOff.mjs'
import IconCloudUpload from '@tabler/icons-react/dist/esm/icons/IconCloudUpload.mjs'
import IconHandStop from '@tabler/icons-react/dist/esm/icons/IconHandStop.mjs'
import { useQueryClient } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import type { KeyboardEvent } from 'react'
import { useEffect, useRef, useState } from 'react'
import { lineState } from '#lib/calls/line-state.ts'
import { keepFocusNear } from '#lib/keys/keep-focus-near.ts'
import { formatDate, formatTime } from '#lib/time/dates.ts'
import { useTimezone } from '#merchants/public.ts'
import { Button } from '#ui/blocks/button.tsx'
import { OrderLink } from '../order/order-link.tsx'
import { recipientName } from '../order/facts.ts'
import { knownOrder } from '../state/order-cache.ts'
import { liveState } from '../state/live-state.ts'
import type { Decision } from './decision-queue.ts'
import { canUndo, isOpen } from './decision-queue.ts'
import styles from './offline-desk.module.css'
import { canWait, clearSent, decisions, seeRefusal, undoPress } from './waiting.ts'

/** The state of a cut line, and the decisions that wait for it. */
export function OfflineDesk() {
  return (
    <>
      <Band />
      <NotSent />
    </>
  )
}

/** These pages say themselves how old their contents are. */
const hasOwnNote = /^\/(today|hand-over|pick)(\/|$)/

function Band() {
  const path = useLocation({ select: ({ pathname }) => pathname })
  const isAway = lineState.use() === 'away'
  const state = liveState.use()
  const timezone = useTimezone()
  if (!isAway || state.kind !== 'reconnecting' || hasOwnNote.test(path)) return null
  const { since } = state
  return (
    <div className={styles.band} role="status">
      <IconCloudOff size={22} aria-hidden />
      {path.startsWith('/orders') ? (
        <p>
          <b>No connection.</b> You see the orders as of {formatDate(since, timezone)},{' '}
          {formatTime(since, timezone)}. {canWait() && 'You can accept and reject.'}
          <small>Labels, couriers, counts and new orders need the connection.</small>
        </p>
      ) : (
        <p>
          <b>No connection</b> since {formatDate(since, timezone)}, {formatTime(since, timezone)}.
        </p>
      )}
    </div>
  )
}

/**
 * One line, as high with a hundred decisions as with one. What it opens lies over the page, so that no row moves away
 * from under a hand; a press elsewhere, Escape and leaving it with the keyboard close it.
 */
function NotSent() {
  const queue = decisions.use()
  const [isOpened, setOpened] = useState(false)
  const box = useRef<HTMLElement>(null)
  const isShown = isOpened && queue.length > 0
  useEffect(() => {
    if (!isShown) return
    const leave = ({ target }: Event): void => {
      if (target instanceof Node && target.isConnected && !box.current?.contains(target)) setOpened(false)
    }
    document.addEventListener('pointerdown', leave)
    document.addEventListener('focusin', leave)
    return () => {
      document.removeEventListener('pointerdown', leave)
      document.removeEventListener('focusin', leave)
    }
  }, [isShown])
  if (queue.length === 0) return null
  const open = queue.filter(isOpen).length
  const sent = queue.filter(({ state }) => state === 'done').length
  const refused = queue.length - open - sent
  const title = open > 0 ? 'Not sent yet' : sent > 0 ? 'Sent after the cut' : 'Not done after the cut'
  const newest = queue.findLast(isOpen) ?? queue.findLast(({ state }) => state === 'refused') ?? queue.at(-1)
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || !isShown) return
    event.preventDefault()
    setOpened(false)
    box.current?.querySelector('button')?.focus()
  }
  return (
    <section ref={box} className={styles.queue} aria-label={title} onKeyDown={onKeyDown}>
      <h2>
        <button
          ref={keepFocusNear}
          type="button"
          aria-expanded={isShown}
          data-refused={refused > 0 || undefined}
          onClick={() => setOpened(!isShown)}
        >
          <IconCloudUpload size={18} aria-hidden />
          {title}
          <span className={styles.newest}>{newest && headOf(newest)}</span>
          <span>
            {open > 0 ? `${open}, in this order` : sent > 0 ? `${sent} of ${queue.length}` : queue.length}
          </span>
          <IconChevronDown size={18} aria-hidden />
        </button>
      </h2>
      {isShown && (
        <div className={styles.list}>
          <ol>
            {queue.map((each) => (
              <Item key={each.key} decision={each} />
            ))}
          </ol>
          <div className={styles.foot}>
            <p>{footOf({ open, refused })}</p>
            {sent > 0 && (
              <Button ref={keepFocusNear} look="plain" onClick={() => void clearSent()}>
                {open + refused > 0 ? 'Clear sent' : 'Close'}
              </Button>
            )}
          </div>
        </div>
      )}
    </section>
  )
}

function footOf({ open, refused }: { open: number; refused: number }): string {
  if (open > 0)
    return 'Kept on this device, also through a reload. Each is sent once when the connection is back.'
  return refused > 0
    ? 'What was not done stays until you have seen it.'
    : 'This list stays until you close it.'
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

/** "Accept #1000481", as a row of the list says it. */
function headOf({ orderId, decided, state }: Decision): string {
  if (state === 'refused') return `#${orderId} ${verbs[decided].refused}`
  return `${state === 'done' ? verbs[decided].done : verbs[decided].open} #${orderId}`
}

function Item({ decision }: { decision: Decision }) {
  const { key, orderId, decided, state } = decision
  const timezone = useTimezone()
  const queryClient = useQueryClient()
  const Sign = signs[state]
  const order = knownOrder(queryClient, orderId)
  const link = <OrderLink id={orderId}>#{orderId}</OrderLink>
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
        <Button
          ref={keepFocusNear}
          look="plain"
          onClick={() => void undoPress(decision)}
          aria-label={`Undo ${decided} of #${orderId}`}
        >
          Undo
        </Button>
      )}
      {state === 'refused' && (
        <Button
          ref={keepFocusNear}
          look="plain"
          onClick={() => void seeRefusal(key)}
          aria-label={`Got it: ${headOf(decision)}`}
        >
          Got it
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
