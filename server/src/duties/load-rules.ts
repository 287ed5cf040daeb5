import { readFile } from 'node:fs/promises'
import type { DutyRule } from '@cellarhand/contract/duty-rules'
import type { Database, Statements } from '#platform/db/database.ts'
import { enqueueJobs } from '#platform/jobs/queue.ts'
import { checkDuties } from './commands/decide-duty.ts'
import { readRuleFile } from './read-rule-file.ts'

const shipped = new URL('rules.json', import.meta.url)

/** Brings the rules up to those of this release. A file with a fault changes nothing: the rules in force stay. */
export async function loadShippedRules(db: Database): Promise<void> {
  const rules = readRuleFile('rules.json', await readFile(shipped, 'utf8'))
  await db.system(async (statements) => {
    if ((await writeRules(statements, rules)) > 0) await askEveryShopAgain(statements)
  })
}

/** The open orders of every shop carry the answers of the rules before. */
async function askEveryShopAgain(statements: Statements): Promise<void> {
  const shops = await statements.query<{ merchant_id: string }>(
    `select merchant_id from merchants m
     where exists (select from orders o where o.merchant_id = m.merchant_id and o.tab in ('active', 'on_hold')) order by merchant_id`,
  )
  const merchantIds = shops.map(({ merchant_id }) => merchant_id)
  await enqueueJobs(statements, { merchantIds, kind: checkDuties, payload: {} })
}

/**
 * A rule that the file no longer names stays, because histories and decisions name it; `valid_to` ends a rule. Answers
 * how many rules are new or other ones.
 */
export async function writeRules({ query }: Statements, rules: readonly DutyRule[]): Promise<number> {
  const written = await query(
    `insert into duty_rules as r (rule_id, country, state, kind, applies, value, words, source, sure, read_on, valid_from, valid_to)
     select rule->>'id', rule->>'country', rule->>'state', rule->>'kind', rule->'applies', rule->'value', rule->>'words',
       rule->>'source', rule->>'sure', (rule->>'read_on')::date, (rule->>'valid_from')::date, (rule->>'valid_to')::date
     from json_array_elements($1::json) rule order by rule->>'id'
     on conflict (rule_id) do update set country = excluded.country, state = excluded.state, kind = excluded.kind,
       applies = excluded.applies, value = excluded.value, words = excluded.words, source = excluded.source,
       sure = excluded.sure, read_on = excluded.read_on, valid_from = excluded.valid_from, valid_to = excluded.valid_to
     where (r.state, r.kind, r.applies::text, r.value::text, r.words, r.source, r.sure, r.read_on, r.valid_from, r.valid_to)
       is distinct from (excluded.state, excluded.kind, excluded.applies::text, excluded.value::text, excluded.words,
       excluded.source, excluded.sure, excluded.read_on, excluded.valid_from, excluded.valid_to)
     returning 1`,
    [JSON.stringify(rules)],
  )
  return written.length
}
