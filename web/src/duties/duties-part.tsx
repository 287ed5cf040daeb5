import type { Duty, OrderDuties } from '@cellarhand/contract/duties'
import IconBan from '@tabler/icons-react/dist/esm/icons/IconBan.mjs'
import IconInfoCircle from '@tabler/icons-react/dist/esm/icons/IconInfoCircle.mjs'
import IconScale from '@tabler/icons-react/dist/esm/icons/IconScale.mjs'
import IconSignature from '@tabler/icons-react/dist/esm/icons/IconSignature.mjs'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Suspense, useState } from 'react'
import { lazyPart } from '#lib/parts/lazy-part.ts'
import { formatDay, formatTime } from '#lib/time/dates.ts'
import type { OrderPartProps } from '#orders/public.ts'
import { allowedActions } from '#orders/public.ts'
import { merchantKey, useCan } from '#sign-in/public.ts'
import { Button } from '#ui/blocks/button.tsx'
import styles from './duties-part.module.css'
import { orderDutiesQuery } from './queries.ts'
import { SourceLink } from './source-link.tsx'

const PassDialog = lazyPart(() => import('./pass-dialog.tsx'), 'PassDialog')

type Shown = OrderDuties['block'][number] & Partial<Duty>

/**
 * What must happen with the order and why, what stands against it, and what can be done then. The order's own copy of
 * the answer shows at once; the server's answer brings the rules behind it, and what is good to know, behind a button.
 */
export function DutiesPart({ order, timezone, isReadOnly, onStep }: OrderPartProps) {
  const { data } = useQuery(orderDutiesQuery(merchantKey(), order))
  const [passing, setPassing] = useState<Shown>()
  const [isOpen, setOpen] = useState(false)
  const may = useCan()
  const actions = allowedActions(order)
  const canReject = actions.has('reject') || actions.has('reject_partly')
  const missing = order.duties?.missing ?? []
  if (isReadOnly && missing.length === 0) return null
  const block: readonly Shown[] = isReadOnly ? [] : (data?.block ?? order.duties?.block ?? [])
  const must: readonly Shown[] = isReadOnly ? [] : (data?.must ?? order.duties?.must ?? [])
  const tell: readonly Shown[] = isReadOnly ? [] : (data?.tell ?? [])
  return (
    <section className={styles.card} aria-label="What this order needs">
      <div className={styles.head}>
        <h2>
          <IconScale size={16} aria-hidden /> What this order needs
        </h2>
        <em>
          {summary(block.length + missing.length, must.length)}
          {data && ` · checked ${formatTime(data.checked_at, timezone)}`}
        </em>
        {tell.length > 0 && (
          <button type="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            Good to know: {tell.length}
          </button>
        )}
      </div>
      <ul>
        {missing.map((duty) => (
          <Against key={duty.rule} duty={duty} kind="Missing" onPass={setPassing}>
            It was closed without this on record.{' '}
            {may('duties.decide')
              ? 'Look at it, and give the reason.'
              : 'An owner can look at it and give the reason.'}
          </Against>
        ))}
        {block.map((duty) => (
          <Against
            key={duty.rule}
            duty={duty}
            kind="Blocked"
            onPass={setPassing}
            onReject={canReject ? () => onStep('reject') : undefined}
          >
            It cannot be accepted, labelled or handed over as it is.
            {canReject &&
              (may('duties.decide')
                ? ' Reject it with “Other” and the reason, or let it pass with a reason.'
                : ' Reject it with “Other” and the reason, or ask an owner, who can let it pass with a reason.')}
          </Against>
        ))}
        {must.map((duty) => (
          <li key={duty.rule} data-weight="must">
            <Line duty={duty} kind="Must" />
          </li>
        ))}
        {isOpen &&
          tell.map((duty) => (
            <li key={duty.rule} data-weight="tell">
              <Line duty={duty} kind="Info" />
              {/* A hand-over within the hours is refused when it is recorded, at whatever hour that is. */}
              {duty.kind === 'hours' && duty.confirmed_by && <PassButton duty={duty} onPass={setPassing} />}
            </li>
          ))}
      </ul>
      {passing && (
        <Suspense>
          <PassDialog order={order} duty={passing} onClose={() => setPassing(undefined)} />
        </Suspense>
      )}
    </section>
  )
}

interface AgainstProps {
  duty: Shown
  kind: 'Blocked' | 'Missing'
  onPass: (duty: Shown) => void
  onReject?: (() => void) | undefined
  children: ReactNode
}

/** It stands against the order: what it is, and what the person at the screen can do. */
function Against({ duty, kind, onPass, onReject, children }: AgainstProps) {
  return (
    <li data-weight="block">
      <Line duty={duty} kind={kind} />
      <small>{children}</small>
      <span className={styles.actions}>
        <PassButton duty={duty} onPass={onPass}>
          {kind === 'Missing' ? 'I have looked' : 'Let it pass'}
        </PassButton>
        {onReject && (
          <Button look="plain" onClick={onReject}>
            Reject
          </Button>
        )}
      </span>
    </li>
  )
}

type PassProps = Pick<AgainstProps, 'duty' | 'onPass'> & { children?: string }

/** For owners. */
function PassButton({ duty, onPass, children = 'Let it pass' }: PassProps) {
  const may = useCan()
  if (!may('duties.decide')) return null
  return (
    <Button look="plain" onClick={() => onPass(duty)}>
      {children}
    </Button>
  )
}

const icons = { Blocked: IconBan, Missing: IconBan, Must: IconSignature, Info: IconInfoCircle }

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

/** The rule behind a line, where and when it was read, and who at the shop has confirmed it. */
function Behind({ duty: { source, rule, read_on: read, confirmed_by: by, is_doubtful } }: { duty: Shown }) {
  // Until the answer is there, and for the hold of an unknown place, which no single rule orders.
  if (source == null || read == null) return <small>Rule {rule}</small>
  return (
    <small>
      <SourceLink rule={rule} source={source} />, read {formatDay(read)}
      {by && `, confirmed by ${by}`}
      {is_doubtful && (
        <b className={styles.doubt}>
          {' '}
          {by ? 'It should be read again.' : 'Nobody at the shop has confirmed it.'}
        </b>
      )}
    </small>
  )
}

function summary(against: number, toDo: number): string {
  const first = toDo === 0 ? '' : `${toDo} to do, `
  return against === 0 ? `${first}nothing stands against it` : `${first}${against} against it`
}
