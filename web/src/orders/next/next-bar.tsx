import { methodLabel } from '@cellarhand/contract/labels'
import type { Queue } from '@cellarhand/contract/live'
import type { SlaType } from '@cellarhand/contract/on-track'
import IconCheck from '@tabler/icons-react/dist/esm/icons/IconCheck.mjs'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { memo, useEffect, useEffectEvent, useLayoutEffect, useState, useSyncExternalStore } from 'react'
import { isPageInFront } from '#lib/keys/keyboard.ts'
import { useShortcuts } from '#lib/keys/shortcuts.ts'
import { useServerTime } from '#lib/time/server-clock.ts'
import { merchantKey, session } from '#sign-in/public.ts'
import { buttonClass } from '#ui/blocks/button.tsx'
import { tellFailure } from '#ui/notes/toasts.tsx'
import { told } from '#ui/notes/told.ts'
import { presences } from '../live/presence.ts'
import { itemWords, recipientName } from '../order/facts.ts'
import { notSent } from '../order/unconfirmed.ts'
import { useSteps, type Step } from '../order/next-step.ts'
import { onTrack } from '../order/on-track-badge.tsx'
import { knownOrder } from '../state/order-cache.ts'
import type { Order } from '../state/queries.ts'
import { orderQuery, queueQuery } from '../state/queries.ts'
import { shown } from '../state/shown.ts'
import styles from './next-bar.module.css'
import { nextOf, openWork, type NextKind } from './next-orders.ts'

interface Props {
  timezone: string
  onStep: (step: Step, order: Order, from?: 'decision') => void
  /** Without rows, whose keys include `a`. */
  isAlone: boolean
}

/** The order to decide next and the one to do next, out of all that are open. */
export const NextBar = memo(function NextBar({ timezone, onStep, isAlone }: Props) {
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const queue = useQuery(queueQuery(merchantKey()))
  const decision = useNext('decide')
  const work = useNext('do')
  const changed = useChanged(decision.id)
  const press = (): void => {
    if (!changed.isFresh && decision.id !== undefined) decideBy(decision.id)
  }
  const openNext = (): void =>
    void openWork(queryClient, (id) => void navigate({ to: '/orders/view/$id', params: { id } }))
  const decideBy = (id: string, from?: 'decision'): void => {
    const decide = (order: Order): void => onStep('accept', order, from)
    const known = knownOrder(queryClient, id)
    if (known) return decide(known)
    void told(`decide ${id}`, () => queryClient.ensureQueryData(orderQuery(id))).then(
      // The clerk may have opened another dialog meanwhile.
      (order) => isPageInFront(false) && decide(order),
      () =>
        tellFailure(
          `decide ${id}`,
          `#${id}, the next order, could not be loaded.`,
          'Open it from the list, or try again.',
        ),
    )
  }
  const onAsked = useEffectEvent((id?: string) => {
    if (id === undefined) press()
    else if (isPageInFront(false)) decideBy(id, 'decision')
  })
  useLayoutEffect(() => {
    shown.decide = (id) => onAsked(id)
    return () => void (shown.decide = undefined)
  }, [])
  useShortcuts({ '.': openNext, ...(isAlone && { a: press }) })
  if (!queue.data) return null
  return (
    <div className={styles.bar} role="group" aria-label="Next orders">
      {decision.id === undefined ? (
        <p className={styles.none}>{noneWords(queue.data)}</p>
      ) : (
        <div className={styles.part} data-part="decide" data-fresh={changed.isFresh || undefined}>
          <Facts label="Decide next" next={decision} timezone={timezone} note={changed.words} />
          <button
            type="button"
            className={`${buttonClass} ${styles.press}`}
            aria-disabled={changed.isFresh}
            onClick={press}
          >
            <IconCheck size={18} aria-hidden />
            <span>
              Accept<span className="visually-hidden"> next, #{decision.id}</span>
            </span>
            <kbd aria-hidden>a</kbd>
          </button>
        </div>
      )}
      {work.id !== undefined && (
        <div className={styles.part} data-part="do">
          <Facts label="Do next" next={work} timezone={timezone} />
          <button
            type="button"
            className={`${buttonClass} ${styles.press}`}
            data-look="plain"
            onClick={openNext}
          >
            <span>
              Open<span className="visually-hidden"> next to do, #{work.id}</span>
            </span>
            <kbd aria-hidden>.</kbd>
          </button>
        </div>
      )}
      <span className="visually-hidden" role="status">
        {changed.words}
      </span>
    </div>
  )
})

function noneWords({ undecided, needs_a_look: looks, taken, decide }: Queue): string {
  const self = session.get().user?.id
  // The clerk's own decisions are counted for a moment too, and without a line for as long as that lasts.
  const areTheirs = taken?.some(({ id, by }) => by !== self && decide.includes(id))
  if (undecided && areTheirs) return 'Colleagues have the other new orders'
  return looks ? 'Only orders that need a look' : 'Nothing to decide'
}

interface Next {
  id: string | undefined
  order: Order | undefined
}

/** Follows the queue, the colleagues’ open orders and what this screen knows of each order. */
function useNext(kind: NextKind): Next {
  const queryClient = useQueryClient()
  const listen = (listener: () => void): (() => void) => {
    const ends = [
      queryClient.getQueryCache().subscribe(listener),
      presences.listen(listener),
      notSent.listen(listener),
    ]
    return () => ends.forEach((end) => end())
  }
  const [follow] = useState(() => listen)
  const id = useSyncExternalStore(follow, () => nextOf(queryClient, kind))
  const order = useSyncExternalStore(follow, () =>
    id === undefined ? undefined : knownOrder(queryClient, id),
  )
  const isUnknown = id !== undefined && !order
  useEffect(() => {
    if (isUnknown) void queryClient.prefetchQuery(orderQuery(id))
  }, [queryClient, id, isUnknown])
  return { id, order }
}

const GUARD_MS = 700
const NOTE_MS = 4_000

/** A press that was meant for the order before must not decide the one in its place. */
function useChanged(id: string | undefined): { isFresh: boolean; words: string } {
  const [now, setNow] = useState({ id, words: '', isFresh: false })
  if (now.id !== id) {
    const words = id === undefined || now.id === undefined ? '' : `Now #${id} in place of #${now.id}`
    setNow({ id, words, isFresh: words !== '' })
  }
  const { words } = now
  useEffect(() => {
    if (words === '') return
    const settle = setTimeout(() => setNow((each) => ({ ...each, isFresh: false })), GUARD_MS)
    const forget = setTimeout(() => setNow((each) => ({ ...each, words: '' })), NOTE_MS)
    return () => {
      clearTimeout(settle)
      clearTimeout(forget)
    }
  }, [words])
  return now
}

const hues: Record<SlaType, string> = { SLA0: 'green', SLA1: 'amber', SLA2: 'red' }

interface FactsProps {
  label: string
  next: Next
  timezone: string
  note?: string
}

function Facts({ label, next: { id, order }, timezone, note = '' }: FactsProps) {
  return (
    <>
      <div className={styles.time}>
        <span>{label}</span>
        {order && <TimeLeft order={order} timezone={timezone} />}
      </div>
      <div className={styles.facts}>
        <span>
          <b>#{id}</b> {order && <OrderWords order={order} isWork={label === 'Do next'} />}
        </span>
        <span className={styles.more} data-note={note !== '' || undefined}>
          {note ||
            (order &&
              `${methodLabel(order.delivery.method, order.courier_estimate_id)} · ${itemWords(order)}`)}
        </span>
      </div>
    </>
  )
}

function OrderWords({ order, isWork }: { order: Order; isWork: boolean }) {
  const [step] = useSteps(order)
  return isWork && step ? step.label : recipientName(order)
}

function TimeLeft({ order, timezone }: { order: Order; timezone: string }) {
  const nowMs = useServerTime()
  const deadline = order.on_track_status?.deadline_at
  if (deadline === undefined) return null
  const deadlineAtMs = Date.parse(deadline)
  const { type, message } = onTrack({ deadlineAtMs, method: order.delivery.method, nowMs, timezone })
  return <b data-hue={hues[type]}>{message}</b>
}
