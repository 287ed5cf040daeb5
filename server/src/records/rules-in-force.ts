import { asDecided } from '@cellarhand/contract/duties-of'
import type { Decision, DutyRule } from '@cellarhand/contract/duty-rules'
import type { Statements } from '#platform/db/database.ts'
import { startOfDay } from '#platform/clock/zoned-time.ts'
import { periodOf, type Period } from './sales/period.ts'

export interface RuleVersion {
  readonly loadedMs: number
  readonly rule: DutyRule
}

export interface DecidedAt extends Omit<Decision, 'on'> {
  readonly ruleId: string
  readonly atMs: number
}

/** A rule as it stood from one moment to the next. */
export interface RuleSpan {
  readonly fromMs: number
  readonly endMs: number
  /** Told: nobody at the shop had confirmed it. */
  readonly stood: 'counted' | 'told' | 'set aside'
  /** With the owner's changes. */
  readonly rule: DutyRule
  readonly decision: DecidedAt | undefined
}

/** Each rule of the period, cut wherever its text, its validity or the shop's decision changed. */
export function rulesInForce(
  versions: readonly RuleVersion[],
  decisions: readonly DecidedAt[],
  period: Period,
): RuleSpan[] {
  const byRule = Map.groupBy(versions, ({ rule }) => rule.id)
  return [...byRule].flatMap(([id, own]) =>
    spansOf(
      own.toSorted((a, b) => a.loadedMs - b.loadedMs),
      decisions.filter(({ ruleId }) => ruleId === id).toSorted((a, b) => a.atMs - b.atMs),
      period,
    ),
  )
}

function spansOf(
  versions: readonly RuleVersion[],
  decisions: readonly DecidedAt[],
  { fromMs, endMs, timezone }: Period,
): RuleSpan[] {
  const cuts = [
    fromMs,
    ...versions.flatMap(({ loadedMs, rule }) => [loadedMs, ...validityOf(rule, timezone)]),
    ...decisions.map(({ atMs }) => atMs),
  ]
  const begins = [...new Set(cuts)].filter((ms) => ms >= fromMs && ms < endMs).toSorted((a, b) => a - b)
  const spans: RuleSpan[] = []
  for (const [index, at] of begins.entries()) {
    const version = versions.findLast(({ loadedMs }) => loadedMs <= at)
    const decision = decisions.findLast(({ atMs }) => atMs <= at)
    if (version === undefined || !isValid(version.rule, at, timezone)) continue
    const span = { ...standing(version.rule, decision), fromMs: at, endMs: begins[index + 1] ?? endMs }
    const before = spans.at(-1)
    if (before?.endMs === at && isSame(before, span))
      spans[spans.length - 1] = { ...before, endMs: span.endMs }
    else spans.push(span)
  }
  return spans
}

function standing(
  shipped: DutyRule,
  decision: DecidedAt | undefined,
): Pick<RuleSpan, 'rule' | 'stood' | 'decision'> {
  const isCounted = decision !== undefined || shipped.sure === 'terms'
  const stood = decision?.decision === 'set_aside' ? 'set aside' : isCounted ? 'counted' : 'told'
  return { rule: asDecided(shipped, decision), stood, decision }
}

function isSame(one: RuleSpan, other: RuleSpan): boolean {
  return one.decision === other.decision && JSON.stringify(one.rule) === JSON.stringify(other.rule)
}

/** The moments at which a rule begins and ends. */
function validityOf({ valid_from, valid_to }: DutyRule, timezone: string): number[] {
  return [
    ...(valid_from === null ? [] : [startOfDay(valid_from, timezone)]),
    ...(valid_to === null ? [] : [periodOf({ from: valid_to, to: valid_to }, timezone).endMs]),
  ]
}

function isValid({ valid_from, valid_to }: DutyRule, at: number, timezone: string): boolean {
  return (
    (valid_from === null || startOfDay(valid_from, timezone) <= at) &&
    (valid_to === null || at < periodOf({ from: valid_to, to: valid_to }, timezone).endMs)
  )
}

interface DecisionRow {
  readonly rule_id: string
  readonly decision: Decision['decision']
  readonly applies: string | null
  readonly value: string | null
  readonly reason: string | null
  readonly decided_by: string
  readonly decided_at: Date
}

export async function readRuleHistory(
  { query }: Statements,
  merchantId: string,
): Promise<{ versions: RuleVersion[]; decisions: DecidedAt[] }> {
  const [versions, decisions] = await Promise.all([
    query<{ rule: string; loaded_at: Date }>(
      'select rule, loaded_at from duty_rule_versions order by rule_id, version_no',
    ),
    query<DecisionRow>(
      `select rule_id, decision, applies, value, reason, decided_by, decided_at
       from duty_decisions where merchant_id = $1 order by decided_at, rule_id, decision_no`,
      [merchantId],
    ),
  ])
  return {
    versions: versions.map(({ rule, loaded_at }) => ({
      rule: JSON.parse(rule) as DutyRule,
      loadedMs: loaded_at.getTime(),
    })),
    decisions: decisions.map((row) => ({
      ruleId: row.rule_id,
      decision: row.decision,
      applies: row.applies === null ? null : (JSON.parse(row.applies) as Decision['applies']),
      value: row.value === null ? null : (JSON.parse(row.value) as unknown),
      reason: row.reason,
      by: row.decided_by,
      atMs: row.decided_at.getTime(),
    })),
  }
}
