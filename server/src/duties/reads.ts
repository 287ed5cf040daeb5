import type { Closing, ShopDuties } from '@cellarhand/contract/duties'
import { isOverAYear } from '@cellarhand/contract/duties-of'
import type { Applies, Decision, DutyRule, ShopRule } from '@cellarhand/contract/duty-rules'
import { dayIn } from '#platform/clock/zoned-time.ts'
import type { Statements } from '#platform/db/database.ts'
import { refuse } from '#platform/http/refuse.ts'

/** The rules as they stand at a shop, with the shop's own part in them. */
export interface DutyBook {
  readonly rules: readonly ShopRule[]
  /** Where the bottles come from. */
  readonly state: string
  readonly timezone: string
  readonly closing: Closing
}

/** The newest choice of an owner; a shop without one has the default of new merchants. */
const defaultClosing: Closing = 'enforced_on_dashboard'
const newestClosing =
  'select was, closing, reason, decided_by, decided_at from closing_decisions where merchant_id = $1 order by decision_no desc limit 1'

interface ClosingRow {
  readonly was: Closing | null
  readonly closing: Closing
  readonly reason: string | null
  readonly decided_by: string | null
  readonly decided_at: Date
}

export async function getClosing({ query }: Statements, merchantId: string): Promise<Closing> {
  const [row] = await query<ClosingRow>(newestClosing, [merchantId])
  return row?.closing ?? defaultClosing
}

interface RuleRow {
  readonly rule_id: string
  readonly country: string
  readonly state: string | null
  readonly kind: string
  readonly applies: string
  readonly value: string
  readonly words: string
  readonly source: string
  readonly sure: string
  readonly read_on: string
  readonly valid_from: string | null
  readonly valid_to: string | null
  readonly decision: Decision['decision'] | null
  readonly own_applies: string | null
  readonly own_value: string | null
  readonly reason: string | null
  readonly decided_by: string | null
  readonly decided_at: Date | null
}

/** Undefined for a merchant that does not exist. */
export async function findDutyBook({ query }: Statements, merchantId: string): Promise<DutyBook | undefined> {
  const [rows, [shop]] = await Promise.all([
    query<RuleRow>(
      `select r.rule_id, r.country, r.state, r.kind, r.applies, r.value, r.words, r.source, r.sure,
         r.read_on::text, r.valid_from::text, r.valid_to::text,
         d.decision, d.applies as own_applies, d.value as own_value, d.reason, d.decided_by, d.decided_at
       from duty_rules r left join lateral (
         select * from duty_decisions d where d.merchant_id = $1 and d.rule_id = r.rule_id
         order by d.decision_no desc limit 1
       ) d on true
       order by r.rule_id`,
      [merchantId],
    ),
    query<{ address: string; timezone: string; closing: Closing }>(
      `select address, timezone, coalesce((
         select closing from closing_decisions d where d.merchant_id = $1 order by decision_no desc limit 1
       ), '${defaultClosing}') as closing
       from merchants where merchant_id = $1`,
      [merchantId],
    ),
  ])
  if (shop === undefined) return undefined
  const { timezone, closing } = shop
  return {
    rules: rows.map((row) => toShopRule(row, timezone)),
    state: (JSON.parse(shop.address) as { state: string }).state,
    timezone,
    closing,
  }
}

export async function getDutyBook(statements: Statements, merchantId: string): Promise<DutyBook> {
  return (await findDutyBook(statements, merchantId)) ?? refuse('not_found')
}

/** The file's form was checked when it was loaded, an owner's value when it was given. */
function toShopRule(row: RuleRow, timezone: string): ShopRule {
  const { rule_id: id, country, state, kind, words, source, sure, read_on, valid_from, valid_to } = row
  const { applies, value } = row
  const rule = {
    id,
    country,
    state,
    kind,
    words,
    source,
    sure,
    read_on,
    valid_from,
    valid_to,
    applies: JSON.parse(applies) as Applies,
    value: JSON.parse(value) as unknown,
  } as DutyRule
  if (row.decision === null) return { rule, decision: null }
  return {
    rule,
    decision: {
      decision: row.decision,
      applies: row.own_applies === null ? null : (JSON.parse(row.own_applies) as Applies),
      value: row.own_value === null ? null : (JSON.parse(row.own_value) as unknown),
      reason: row.reason,
      by: row.decided_by ?? '',
      on: dayIn(row.decided_at?.getTime() ?? 0, timezone),
    },
  }
}

export async function getShopDuties(statements: Statements, merchantId: string): Promise<ShopDuties> {
  const [{ rules, closing, timezone }, [decided]] = await Promise.all([
    getDutyBook(statements, merchantId),
    statements.query<ClosingRow>(newestClosing, [merchantId]),
  ])
  const today = dayIn(statements.clock.nowMs(), timezone)
  return {
    closing,
    closing_decision: closingDecision(decided, timezone),
    rules: rules.map(({ rule, decision }) => ({
      rule,
      decision,
      is_doubtful:
        (decision === null && rule.sure !== 'terms') ||
        isOverAYear(rule.read_on, today) ||
        (decision?.on ?? today) < rule.read_on,
    })),
  }
}

function closingDecision(row: ClosingRow | undefined, timezone: string): ShopDuties['closing_decision'] {
  if (row?.was == null || row.decided_by === null) return null
  return {
    was: row.was,
    by: row.decided_by,
    on: dayIn(row.decided_at.getTime(), timezone),
    reason: row.reason,
  }
}
