import type { Applies, Decision } from '@cellarhand/contract/duty-rules'
import type { Statements } from '#platform/db/database.ts'
import type { Staff } from '#platform/http/caller.ts'
import { refuse, refuseInvalid } from '#platform/http/refuse.ts'
import { enqueueJob } from '#platform/jobs/queue.ts'
import { changeProblem } from '../read-rule-file.ts'

interface NewDecision {
  readonly decision: Decision['decision']
  readonly applies?: Applies | null
  readonly value?: unknown
  readonly reason?: string | null
}

/** The job of this kind asks the open orders again (`orders/commands/check-duties.ts`). */
export const checkDuties = 'check_duties'

/** An owner signs a rule, changes it for the shop or sets it aside. Earlier decisions stay on record. */
export async function decideDuty(
  statements: Statements,
  { merchantId, userId, name, rule }: Pick<Staff, 'merchantId' | 'userId' | 'name'> & { rule: string },
  { decision, applies = null, value = null, reason }: NewDecision,
): Promise<void> {
  const { query } = statements
  const [row] = await query<{ kind: string; value: string }>(
    'select kind, value from duty_rules where rule_id = $1',
    [rule],
  )
  if (row === undefined) return refuse('not_found')
  const found = { kind: row.kind, value: JSON.parse(row.value) as unknown }
  const isChange = decision === 'changed'
  const words = reason?.trim() || null
  refuseInvalid({
    reason: words === null && decision !== 'confirmed' ? 'Please give the reason' : undefined,
    value: value === null ? undefined : isChange ? changeProblem(found, value) : onlyChanged,
    applies: applies !== null && !isChange ? onlyChanged : undefined,
    decision:
      isChange && applies === null && value === null
        ? 'Please say what changes: applies or value'
        : undefined,
  })
  await holdRules(statements, merchantId, 'alone')
  await query(
    `insert into duty_decisions (merchant_id, rule_id, decision_no, decision, applies, value, reason, decided_by_id, decided_by)
     select $1, $2, coalesce(max(decision_no), 0) + 1, $3, $4, $5, $6, $7, $8
     from duty_decisions where merchant_id = $1 and rule_id = $2`,
    [merchantId, rule, decision, asJson(applies), asJson(value), words, userId, name],
  )
  await askOrdersAgain(statements, merchantId)
}

/** After the commit every open order of the shop is asked again. A change that stores an answer comes before or after. */
export async function askOrdersAgain(statements: Statements, merchantId: string): Promise<void> {
  await holdRules(statements, merchantId, 'alone')
  await enqueueJob(statements, { merchantId, kind: checkDuties, payload: {} })
}

/** The next hourly sweep asks the shop's open orders: the job that had to has ended without it. */
export async function askWithNextSweep({ query }: Statements, merchantId: string): Promise<void> {
  await query('delete from duty_checks where merchant_id = $1', [merchantId])
}

/**
 * Until the transaction ends: together with others that store an answer, or alone to change what the answers follow.
 * Without it, an order that comes in beside a decision keeps the answer of before, and no job finds it.
 */
export async function holdRules(
  { query }: Statements,
  merchantId: string,
  how: 'together' | 'alone' = 'together',
): Promise<void> {
  const lock = how === 'alone' ? 'pg_advisory_xact_lock' : 'pg_advisory_xact_lock_shared'
  await query(`select ${lock}(hashtextextended($1, 45))`, [merchantId])
}

const onlyChanged = 'Belongs to the decision "changed" alone'

function asJson(value: unknown): string | null {
  return value === null ? null : JSON.stringify(value)
}
