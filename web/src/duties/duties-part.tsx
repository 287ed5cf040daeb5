import type { Duty, OrderDuties } from '@cellarhand/contract/duties'
import { heldReasonOf } from '@cellarhand/contract/duty-note'
import type { Question } from '@cellarhand/contract/order-duties'
import IconBan from '@tabler/icons-react/dist/esm/icons/IconBan.mjs'
import IconInfoCircle from '@tabler/icons-react/dist/esm/icons/IconInfoCircle.mjs'
import IconScale from '@tabler/icons-react/dist/esm/icons/IconScale.mjs'
import IconSignature from '@tabler/icons-react/dist/esm/icons/IconSignature.mjs'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { lazyPart } from '#lib/parts/lazy-part.ts'
import { formatDay, formatTime } from '#lib/time/dates.ts'
import type { OrderPartProps } from '#orders/public.ts'
import { allowedActions } from '#orders/public.ts'
import { merchantKey, useCan } from '#sign-in/public.ts'
import { Button } from '#ui/blocks/button.tsx'
import { Moment } from '#ui/blocks/moment.tsx'
import { DialogPart } from '#ui/dialogs/dialog.tsx'
import styles from './duties-part.module.css'
import { orderDutiesQuery } from './order-duties-query.ts'
import { SourceLink } from './source-link.tsx'

const dialogs = {
  ask: lazyPart(() => import('./ask-dialog.tsx'), 'AskDialog'),
  pass: lazyPart(() => import('./pass-dialog.tsx'), 'PassDialog'),
  keep: lazyPart(() => import('./keep-dialog.tsx'), 'KeepDialog'),
}
const titles = { ask: 'Ask an owner', pass: 'Let it pass', keep: 'Keep it held' }
/** What the clerk or the owner wants to do about a rule. */
type Opened = { dialog: keyof typeof dialogs; duty: Shown }
type OnOpen = (opened: Opened) => void

type Shown = OrderDuties['block'][number] & Partial<Duty>

/**
 * The duties of the order and their reasons, the rules against it, and what can be done then. The order's own copy of
 * the answer shows at once; the server's answer brings the rules behind it, and what is good to know, behind a button.
 */
export function DutiesPart({ order, timezone, isReadOnly, onStep }: OrderPartProps) {
  const { data, isPlaceholderData } = useQuery(orderDutiesQuery(merchantKey(), order))
  const [opened, setOpened] = useState<Opened>()
  const [isOpen, setOpen] = useState(false)
  const may = useCan()
  const actions = allowedActions(order)
  const canReject = actions.has('reject') || actions.has('reject_partly')
  const missing = order.duties?.missing ?? []
  if (isReadOnly && missing.length === 0) return null
  // After a change the order says what stands against it now; the answer of before knows the rules behind it.
  const linesOf = (weight: 'block' | 'must'): readonly Shown[] => {
    if (isReadOnly) return []
    if (data && !isPlaceholderData) return data[weight]
    const before = new Map(data?.[weight].map((duty) => [duty.rule, duty]))
    return (order.duties?.[weight] ?? []).map((duty) => ({ ...before.get(duty.rule), ...duty }))
  }
  const [block, must] = [linesOf('block'), linesOf('must')]
  const all: readonly Shown[] = isReadOnly ? [] : (data?.tell ?? [])
  const questionOf = ({ rule }: Shown) => data?.asked?.find((each) => each.rule === rule)
  const isAsked = ({ rule }: Shown) => order.duties?.asked?.includes(rule) === true
  const isPassed = ({ rule }: Shown) => order.duties?.set_aside?.includes(rule) === true
  // Hours stand against a hand-over alone, and only while they last.
  const isNow = (duty: Shown) => duty.is_now === true && !isPassed(duty)
  const now = all.filter(isNow)
  const told = all.filter((duty) => !isNow(duty))
  // Without a press: a question, and the hours in which the hand-over of an order on its road cannot be recorded.
  const isOnRoad = actions.has('deliver')
  const isHours = (duty: Shown) => duty.kind === 'hours' && Boolean(duty.confirmed_by) && !isPassed(duty)
  const isShown = (duty: Shown) => questionOf(duty) !== undefined || (isOnRoad && isHours(duty))
  const [shown, tell] = [told.filter(isShown), told.filter((duty) => !isShown(duty))]
  // Each of these has room for a line or two, so that nothing below moves when the answer comes.
  const isLong = data?.asked?.length || [...block, ...now, ...must, ...shown].some(({ reason }) => reason)
  const line = { order, timezone, onOpen: setOpened }
  const reject = canReject ? () => onStep('reject') : undefined
  return (
    <section className={styles.card} aria-label="What this order needs" data-open={isOpen || undefined}>
      <div className={styles.head}>
        <h2>
          <IconScale size={16} aria-hidden /> What this order needs
        </h2>
        <em>
          {summary(block.length + missing.length + now.length, must.length)}
          {data && ` · checked ${formatTime(data.checked_at, timezone)}`}
        </em>
        {(tell.length > 0 || isLong) && (
          <button type="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {tell.length > 0 ? `Good to know: ${tell.length}` : 'Show all'}
          </button>
        )}
      </div>
      <ul>
        {missing.map((duty) => (
          <li key={duty.rule} data-weight="block">
            <Line duty={duty} kind={duty.kind === 'hours' ? 'Too late' : 'Missing'} />
            <small>
              {duty.kind === 'hours'
                ? 'It was handed over within these hours.'
                : 'It was closed without this on record.'}{' '}
              {may('duties.decide')
                ? 'Look at it, and give the reason.'
                : 'An owner can look at it and give the reason.'}
            </small>
            {may('duties.decide') && (
              <span className={styles.actions}>
                <Button look="plain" onClick={() => setOpened({ dialog: 'pass', duty })}>
                  I have looked
                </Button>
              </span>
            )}
          </li>
        ))}
        {block.map((duty) => (
          <Against
            key={duty.rule}
            {...line}
            {...{ duty, reject }}
            question={questionOf(duty)}
            isAsked={isAsked(duty)}
            isKeptHeld={order.duties?.kept_held?.includes(duty.rule) === true}
          />
        ))}
        {now.map((duty) => (
          <li key={duty.rule} data-weight="block">
            <Line duty={duty} kind="Not now" />
            <small>
              No courier can be asked, and it can neither go out nor be handed over, until these hours are
              over or an owner lets it pass.
            </small>
            <Told question={questionOf(duty)} timezone={timezone} />
            <Roads duty={duty} isAsked={isAsked(duty)} onOpen={setOpened} />
          </li>
        ))}
        {must.map((duty) => (
          <li key={duty.rule} data-weight="must">
            <Line duty={duty} kind="Must" />
          </li>
        ))}
        {[...shown, ...(isOpen ? tell : [])].map((duty) => (
          <li key={duty.rule} data-weight="tell">
            <Line duty={duty} kind="Info" />
            <Told question={questionOf(duty)} timezone={timezone} />
            {isHours(duty) && isOnRoad && (
              <small>
                A hand-over within these hours is refused, at whatever hour it is recorded. If it happened
                then, {may('duties.decide') ? 'let it pass with a reason' : 'ask an owner'} first.
              </small>
            )}
            {isHours(duty) && <Roads duty={duty} isAsked={isAsked(duty)} onOpen={setOpened} />}
          </li>
        ))}
      </ul>
      {opened && <OpenedDialog {...opened} order={order} onClose={() => setOpened(undefined)} />}
    </section>
  )
}

function OpenedDialog({
  dialog,
  duty,
  ...page
}: Opened & Pick<OrderPartProps, 'order'> & { onClose: () => void }) {
  const Shown = dialogs[dialog]
  const isClosed = page.order.duties?.missing?.some(({ rule }) => rule === duty.rule) === true
  const title = dialog === 'pass' && isClosed ? 'I have looked' : titles[dialog]
  return (
    <DialogPart title={title} onClose={page.onClose}>
      <Shown {...{ title, duty }} {...page} />
    </DialogPart>
  )
}

interface RoadProps {
  duty: Shown
  /** An owner has not answered yet. */
  isAsked: boolean
  onOpen: OnOpen
  reject?: (() => void) | undefined
}

/** A rule against the order: what it is, and what the person at the screen can do. */
function Against({
  order,
  timezone,
  question,
  isKeptHeld,
  ...road
}: RoadProps &
  Pick<OrderPartProps, 'order' | 'timezone'> & { question: Question | undefined; isKeptHeld: boolean }) {
  const { duty, isAsked, reject } = road
  const may = useCan()
  const reason = heldReasonOf(order)
  const other = reason === '' ? '“Other” and the reason' : `“Other: ${reason}”`
  const orElse = may('duties.decide')
    ? 'let it pass with a reason'
    : isAsked
      ? 'wait for an owner’s answer'
      : 'ask an owner, who can let it pass with a reason'
  return (
    <li data-weight="block">
      <Line duty={duty} kind="Blocked" />
      <small>
        It cannot be accepted, labelled or handed over as it is.
        {reject && ` Reject it with ${other}, or ${orElse}.`}
      </small>
      {question === undefined && (isAsked || isKeptHeld) && <Awaited lines={isKeptHeld ? 2 : 1} />}
      <Told question={question} timezone={timezone} />
      <Roads {...road} />
    </li>
  )
}

/** The room of a question that the order knows of, until its words are there. */
function Awaited({ lines }: { lines: number }) {
  return Array.from({ length: lines }, (_, index) => (
    <small key={index} className={styles.bounded} aria-hidden />
  ))
}

/** What a clerk has asked, and an owner's no. */
function Told({ question, timezone }: { question: Question | undefined; timezone: string }) {
  if (!question) return null
  const { by, at, question: text, answer } = question
  return (
    <>
      <small className={`${styles.asked} ${styles.bounded}`}>
        <b>{by}</b> asked the owners, <Moment at={at} timezone={timezone} />
        {text === null ? '.' : `: “${text}”`}
      </small>
      {answer && (
        <small className={`${styles.asked} ${styles.bounded}`}>
          <b>{answer.by}</b> kept it held, <Moment at={answer.at} timezone={timezone} />: “{answer.reason}”
        </small>
      )}
    </>
  )
}

/** An owner decides; a clerk asks one, once. */
function Roads({ duty, isAsked, onOpen, reject }: RoadProps) {
  const may = useCan()
  const isOwner = may('duties.decide')
  const open = (dialog: Opened['dialog']) => () => onOpen({ dialog, duty })
  return (
    <span className={styles.actions}>
      {isOwner && (
        <Button look="plain" onClick={open('pass')}>
          Let it pass
        </Button>
      )}
      {isOwner && isAsked && (
        <Button look="plain" onClick={open('keep')}>
          Keep it held
        </Button>
      )}
      {!isOwner && !isAsked && may('orders.fulfil') && (
        <Button look="plain" onClick={open('ask')}>
          Ask an owner
        </Button>
      )}
      {reject && (
        <Button look="plain" onClick={reject}>
          Reject
        </Button>
      )}
    </span>
  )
}

const icons = {
  Blocked: IconBan,
  'Not now': IconBan,
  'Too late': IconBan,
  Missing: IconBan,
  Must: IconSignature,
  Info: IconInfoCircle,
}

function Line({ duty, kind }: { duty: Shown; kind: keyof typeof icons }) {
  const Sign = icons[kind]
  return (
    <>
      <span className={styles.kind}>
        <Sign size={16} aria-hidden /> {kind}
      </span>
      <p>
        {duty.words}
        {duty.is_electronic && ' The ID has to be scanned.'}
      </p>
      <Behind duty={duty} />
    </>
  )
}

/** The rule behind a line, where and when it was read, and who at the shop has confirmed or changed it. */
function Behind({ duty }: { duty: Shown }) {
  const { source, rule, read_on: read, confirmed_by: by, is_doubtful } = duty
  // No rule is behind a courier’s missing proof.
  if (rule === 'COURIER-PROOF') return null
  // The hold of an unknown place, which no single rule orders.
  if (source === null)
    return (
      <small className={styles.bounded}>
        <Link to="/settings/duties">The rules of this shop</Link>
      </small>
    )
  // Until the answer is there.
  if (source === undefined || read == null) return <small className={styles.bounded}>Rule {rule}</small>
  return (
    <small className={styles.bounded}>
      {is_doubtful && (
        <b className={styles.doubt}>
          {by ? 'It should be read again.' : 'Nobody at the shop has confirmed it.'}{' '}
        </b>
      )}
      <SourceLink rule={rule} source={source} />, read {formatDay(read)}
      {by && `, ${duty.is_changed ? 'changed' : 'confirmed'} by ${by}`}
      {duty.reason && `: ${duty.reason}`}
    </small>
  )
}

function summary(against: number, toDo: number): string {
  const first = toDo === 0 ? '' : `${toDo} to do, `
  return against === 0 ? `${first}nothing is against it` : `${first}${against} against it`
}
