import type { Closing } from '@cellarhand/contract/duties'
import { usStates } from '@cellarhand/contract/us-states'
import IconInfoCircle from '@tabler/icons-react/dist/esm/icons/IconInfoCircle.mjs'
import IconLock from '@tabler/icons-react/dist/esm/icons/IconLock.mjs'
import { useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { call } from '#lib/calls/call.ts'
import { reasonOf } from '#lib/calls/reason-of.ts'
import { lazyPart } from '#lib/parts/lazy-part.ts'
import { formatDay } from '#lib/time/dates.ts'
import { can, merchantKey, useCan } from '#sign-in/public.ts'
import { Button } from '#ui/blocks/button.tsx'
import { Spinner } from '#ui/blocks/spinner.tsx'
import { DialogPart } from '#ui/dialogs/dialog.tsx'
import { FailedNote } from '#ui/notes/notes.tsx'
import { Notice } from '#ui/notes/notice.tsx'
import { useTold } from '#ui/notes/told.ts'
import { CourierChecks } from './courier-checks.tsx'
import { InspectorFiles } from './inspector-files.tsx'
import {
  courierChecksQuery,
  inspectorFilesQuery,
  keepDecisions,
  ruleAction,
  shopDutiesQuery,
  type ShopDuties,
  type ShopRule,
} from './queries.ts'
import styles from './rules-page.module.css'
import { heldRule, tells, valueWords } from './rule-form.ts'
import { SourceLink } from './source-link.tsx'

const ChangeDialog = lazyPart(() => import('./change-dialog.tsx'), 'ChangeDialog')
const ReasonDialog = lazyPart(() => import('./reason-dialog.tsx'), 'ReasonDialog')

export async function load(queryClient: QueryClient): Promise<void> {
  const tmk = merchantKey()
  const above = can('duties.decide')
    ? [
        queryClient.prefetchQuery(courierChecksQuery(tmk)),
        queryClient.prefetchQuery(inspectorFilesQuery(tmk)),
      ]
    : []
  // Both are above the rules, so they come with them: no press lands on another rule.
  await Promise.all([queryClient.prefetchQuery({ ...shopDutiesQuery(tmk), staleTime: 0 }), ...above])
}

/** The rules of law and of the carriers: an owner signs each one before it counts. */
export function RulesPage() {
  const may = useCan()
  const duties = useQuery({ ...shopDutiesQuery(merchantKey()), retryOnMount: false })
  return (
    <>
      <h1>Rules</h1>
      <Notice icon={IconInfoCircle}>
        This is research, not legal advice: sources disagree and grow old. A rule counts once an owner has
        confirmed it, best after a word with a lawyer.
      </Notice>
      {!may('duties.decide') && (
        <Notice icon={IconLock}>Only owners can decide about rules. Please ask one of them.</Notice>
      )}
      {duties.data ? (
        <>
          <ClosingChoice duties={duties.data} mayDecide={may('duties.decide')} />
          {may('duties.decide') && <CourierChecks />}
          {may('duties.decide') && <InspectorFiles />}
          <Rules rules={duties.data.rules} mayDecide={may('duties.decide')} />
        </>
      ) : duties.isError ? (
        <FailedNote text="The rules could not be loaded." onRetry={() => void duties.refetch()} />
      ) : (
        <Spinner label="Loading the rules" />
      )}
    </>
  )
}

/** The mildest first. */
const closingWords: Record<Closing, string> = {
  recorded: 'Allowed, and the order needs a look',
  enforced_on_dashboard: 'Not on this dashboard; another program may, and the order needs a look',
  enforced: 'Refused, for every program',
}

const closingOrder = Object.keys(closingWords) as Closing[]

function ClosingChoice({ duties, mayDecide }: { duties: ShopDuties; mayDecide: boolean }) {
  const { closing, closing_decision: decision } = duties
  const queryClient = useQueryClient()
  const tmk = merchantKey()
  // Kept here, because the mutation says only a moment later that it is under way, and the old choice would be drawn.
  const [chosen, setChosen] = useState<Closing>()
  /** A milder choice that waits for its reason. */
  const [milder, setMilder] = useState<Closing>()
  const save = useTold({
    action: closingAction,
    // The last choice counts, also where an earlier one is still under way.
    scope: { id: `closing of ${tmk}` },
    attempt: (wanted: Closing) =>
      call('PUT /m/v2/merchant/{tmk}/duties_closing', { params: { tmk }, body: { closing: wanted } }),
    onSuccess: (saved) => keepDecisions(queryClient, tmk, saved),
    failure: (error) => ['The setting was not saved', reasonOf(error)],
    onSettled: (_saved, _error, wanted) => setChosen((now) => (now === wanted ? undefined : now)),
  })
  const choose = (wanted: Closing): void => {
    if (closingOrder.indexOf(wanted) < closingOrder.indexOf(chosen ?? closing)) return setMilder(wanted)
    setChosen(wanted)
    save.mutate(wanted)
  }
  return (
    <fieldset className={styles.closing} disabled={!mayDecide} aria-busy={save.isPending}>
      <legend>A local order is closed without the ID check that a rule asks for</legend>
      {closingOrder.map((each) => (
        <label key={each}>
          <input
            type="radio"
            name="closing"
            checked={(chosen ?? closing) === each}
            onChange={() => choose(each)}
          />
          {closingWords[each]}
        </label>
      ))}
      {decision && (
        <small>
          Changed by {decision.by}, {formatDay(decision.on)}; before: {closingWords[decision.was]}.
          {decision.reason !== null && ` Reason: ${decision.reason}`}
        </small>
      )}
      <DialogPart title={milderTitle} onClose={() => setMilder(undefined)}>
        {milder && (
          <ReasonDialog
            title={milderTitle}
            lead={`From now on: ${closingWords[milder]}. An inspector reads this decision with your name.`}
            button="SAVE"
            action={closingAction}
            failure="The setting was not saved"
            send={(reason) =>
              call('PUT /m/v2/merchant/{tmk}/duties_closing', {
                params: { tmk },
                body: { closing: milder, reason },
              })
            }
            onClose={() => setMilder(undefined)}
          />
        )}
      </DialogPart>
    </fieldset>
  )
}

const milderTitle = 'Ask less at the door'
const closingAction = 'closing'

/** Sixty rules are a long way on a phone: they are found by a word, and those that wait for an owner on their own. */
function Rules({ rules, mayDecide }: { rules: readonly ShopRule[]; mayDecide: boolean }) {
  const [words, setWords] = useState('')
  const [isWaiting, setWaiting] = useState(false)
  // A rule that has just been decided stays in sight until the choice is made anew.
  const [waiting, setWaitingIds] = useState<ReadonlySet<string>>(new Set())
  const doubtful = rules.filter((each) => each.is_doubtful)
  const shown = rules.filter((each) => tells(each, words) && (!isWaiting || waiting.has(each.rule.id)))
  return (
    <>
      <div className={styles.find} role="search" aria-label="Rules">
        <label>
          Find a rule
          <input
            type="search"
            value={words}
            placeholder="Virginia, wine, FedEx"
            onChange={(event) => setWords(event.target.value)}
          />
        </label>
        <label>
          <input
            type="checkbox"
            checked={isWaiting}
            onChange={(event) => {
              setWaiting(event.target.checked)
              setWaitingIds(new Set(doubtful.map(({ rule }) => rule.id)))
            }}
          />
          Only those to confirm or to read again ({doubtful.length})
        </label>
        <span role="status">
          {shown.length === rules.length
            ? `${rules.length} rules`
            : `${shown.length} of ${rules.length} rules`}
        </span>
      </div>
      {shown.length > 0 && <RuleList rules={shown} mayDecide={mayDecide} />}
    </>
  )
}

function RuleList({ rules, mayDecide }: { rules: readonly ShopRule[]; mayDecide: boolean }) {
  const queryClient = useQueryClient()
  const tmk = merchantKey()
  const [setting, setSetting] = useState<ShopRule>()
  const [changing, setChanging] = useState<ShopRule>()
  const list = useRef<HTMLUListElement>(null)
  const decided = useRef<string>(undefined)
  // A decision takes its own button away, and a keyboard would start again at the top of the page.
  useEffect(() => {
    if (decided.current === undefined || document.activeElement !== document.body) return
    list.current
      ?.querySelector<HTMLElement>(`[data-rule="${decided.current}"]`)
      ?.focus({ preventScroll: true })
  }, [rules, setting])
  const [confirming, setConfirming] = useState<readonly string[]>([])
  const confirm = useTold({
    action: ruleAction,
    attempt: (rule: string) =>
      call('PUT /m/v2/merchant/{tmk}/duties/{rule}', {
        params: { tmk, rule },
        body: { decision: 'confirmed' },
      }),
    onMutate: (rule) => setConfirming((before) => [...before, rule]),
    onSuccess: (saved) => keepDecisions(queryClient, tmk, saved),
    failure: (error) => ['The rule was not confirmed', reasonOf(error)],
    onSettled: (_saved, _error, rule) => setConfirming((before) => before.filter((each) => each !== rule)),
  })
  return (
    <>
      <ul ref={list} className={styles.rules}>
        {rules.map((each) => (
          <li
            key={each.rule.id}
            id={each.rule.id}
            data-rule={each.rule.id}
            tabIndex={-1}
            data-doubtful={each.is_doubtful || undefined}
          >
            <p>{each.rule.words}</p>
            <small>
              {placeOf(each)} · <SourceLink rule={each.rule.id} source={each.rule.source} />, read{' '}
              {formatDay(each.rule.read_on)}
            </small>
            <small className={styles.state}>{stateOf(each)}</small>
            {each.decision?.decision === 'changed' && <small>{heldWords(each)}</small>}
            {mayDecide && (
              <span className={styles.actions}>
                {mayConfirm(each) && (
                  <Button
                    look="plain"
                    size="small"
                    aria-label={`Confirm ${each.rule.id}`}
                    isBusy={confirming.includes(each.rule.id)}
                    onClick={() => {
                      if (confirming.includes(each.rule.id)) return
                      decided.current = each.rule.id
                      confirm.mutate(each.rule.id)
                    }}
                  >
                    Confirm
                  </Button>
                )}
                <Button
                  look="plain"
                  size="small"
                  aria-label={`Change ${each.rule.id}`}
                  onClick={() => setChanging(each)}
                >
                  Change
                </Button>
                {each.decision?.decision !== 'set_aside' && (
                  <Button
                    look="plain"
                    size="small"
                    aria-label={`Set aside ${each.rule.id}`}
                    onClick={() => {
                      decided.current = each.rule.id
                      setSetting(each)
                    }}
                  >
                    Set aside
                  </Button>
                )}
              </span>
            )}
          </li>
        ))}
      </ul>
      <DialogPart title="Change a rule" onClose={() => setChanging(undefined)}>
        {changing && <ChangeDialog shopRule={changing} onClose={() => setChanging(undefined)} />}
      </DialogPart>
      <DialogPart title="Set a rule aside" onClose={() => setSetting(undefined)}>
        {setting && (
          <ReasonDialog
            title="Set a rule aside"
            lead={
              <>
                <b>{setting.rule.id}</b>: {setting.rule.words}
              </>
            }
            button="SET ASIDE"
            action={ruleAction(setting.rule.id)}
            failure="The rule was not set aside"
            send={(reason) =>
              call('PUT /m/v2/merchant/{tmk}/duties/{rule}', {
                params: { tmk, rule: setting.rule.id },
                body: { decision: 'set_aside', reason },
              })
            }
            onClose={() => setSetting(undefined)}
          />
        )}
      </DialogPart>
    </>
  )
}

/** A rule that was read again since it was confirmed waits for another word. */
function mayConfirm({ rule, decision }: ShopRule): boolean {
  return decision?.decision !== 'confirmed' || decision.on < rule.read_on
}

/** The rule as the owner has changed it. */
function heldWords(shopRule: ShopRule): string {
  const held = heldRule(shopRule)
  const { abv_over: abv, zips } = held.applies
  const parts = [
    valueWords(held),
    placeOf({ rule: held }),
    abv === undefined ? '' : `above ${abv}%`,
    zips === undefined ? '' : `zip codes ${zips.join(', ')}`,
  ]
  return `At this shop: ${parts.filter((part) => part !== '').join('; ')}`
}

function placeOf({ rule }: Pick<ShopRule, 'rule'>): string {
  const state = usStates.find(([code]) => code === rule.state)?.[1] ?? 'Every state'
  const roads = rule.applies.roads?.map((road) => (road === 'parcel' ? 'parcels' : 'local delivery'))
  return [state, ...(roads ?? []), ...(rule.applies.classes ?? [])].join(', ')
}

function stateOf({ rule, decision, is_doubtful }: ShopRule): string {
  if (decision === null)
    return rule.sure === 'terms'
      ? 'Counts: it is part of the terms.'
      : 'Nobody at the shop has confirmed it, so it is only told.'
  const reason = decision.reason === null ? '' : `: ${decision.reason}`
  const by = `by ${decision.by}, ${formatDay(decision.on)}${reason}`
  const again = is_doubtful ? ' It should be read again.' : ''
  const words = { confirmed: 'Confirmed', changed: 'Changed for this shop', set_aside: 'Set aside' }
  return `${words[decision.decision]} ${by}.${again}`
}
