import type { Duty, OrderDuties } from '@cellarhand/contract/duties'
import IconBan from '@tabler/icons-react/dist/esm/icons/IconBan.mjs'
import IconInfoCircle from '@tabler/icons-react/dist/esm/icons/IconInfoCircle.mjs'
import IconScale from '@tabler/icons-react/dist/esm/icons/IconScale.mjs'
import IconSignature from '@tabler/icons-react/dist/esm/icons/IconSignature.mjs'
import { useQuery } from '@tanstack/react-query'
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

type Short = OrderDuties['block'][number]
type Shown = Short & Partial<Duty>

/** What must happen with the order and why, what stands against it, and what can be done then. */
export function DutiesPart({ order, timezone, isReadOnly, onStep }: OrderPartProps) {
  const { data } = useQuery(orderDutiesQuery(merchantKey(), order))
  const [passing, setPassing] = useState<Shown>()
  const may = useCan()
  const actions = allowedActions(order)
  const canReject = actions.has('reject') || actions.has('reject_partly')
  // The order's own copy shows at once; the answer brings the rules behind it.
  const block: readonly Shown[] = isReadOnly ? [] : (data?.block ?? order.duties?.block ?? [])
  const must: readonly Shown[] = isReadOnly ? [] : (data?.must ?? order.duties?.must ?? [])
  const tell: readonly Shown[] = isReadOnly ? [] : (data?.tell ?? [])
  const missing: readonly Short[] = order.duties?.missing ?? []
  if (block.length + must.length + tell.length + missing.length === 0) return null
  const pass = (duty: Shown) =>
    may('duties.decide') && (
      <Button look="plain" onClick={() => setPassing(duty)}>
        {missing.includes(duty) ? 'I have looked' : 'Let it pass'}
      </Button>
    )
  return (
    <section className={styles.card} aria-label="What this order needs">
      <h2>
        <IconScale size={16} aria-hidden /> What this order needs
        <em>
          {summary(block.length + missing.length, must.length)}
          {data && ` · checked ${formatTime(data.checked_at, timezone)}`}
        </em>
      </h2>
      <ul>
        {missing.map((duty) => (
          <li key={duty.rule} data-weight="block">
            <Line duty={duty} kind="Missing" />
            <small>It was closed without this on record. An owner can look at it and give the reason.</small>
            <span className={styles.actions}>{pass(duty)}</span>
          </li>
        ))}
        {block.map((duty) => (
          <li key={duty.rule} data-weight="block">
            <Line duty={duty} kind="Blocked" />
            <small>
              It cannot be accepted, labelled or handed over as it is.{' '}
              {canReject &&
                'Reject it with “Other” and the reason, or ask an owner, who can let it pass with a reason.'}
            </small>
            <span className={styles.actions}>
              {pass(duty)}
              {canReject && (
                <Button look="plain" onClick={() => onStep('reject')}>
                  Reject
                </Button>
              )}
            </span>
          </li>
        ))}
        {must.map((duty) => (
          <li key={duty.rule} data-weight="must">
            <Line duty={duty} kind="Must" />
          </li>
        ))}
      </ul>
      {tell.length > 0 && (
        <details className={styles.more}>
          <summary>Good to know: {tell.length}</summary>
          <ul>
            {tell.map((duty) => (
              <li key={duty.rule} data-weight="tell">
                <Line duty={duty} kind="Info" />
              </li>
            ))}
          </ul>
        </details>
      )}
      {passing && (
        <Suspense>
          <PassDialog order={order} duty={passing} onClose={() => setPassing(undefined)} />
        </Suspense>
      )}
    </section>
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
      <p>{duty.words}</p>
      <Behind duty={duty} />
    </>
  )
}

/** The rule behind a line, where and when it was read, and who at the shop has confirmed it. */
function Behind({ duty: { source, rule, read_on: read, confirmed_by: by, is_doubtful } }: { duty: Shown }) {
  if (source == null || read == null) return null
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
