import { readFile } from 'node:fs/promises'
import type { DutyRule } from '@cellarhand/contract/duty-rules'
import type { Database, Statements } from '#platform/db/database.ts'
import { enqueueJobs } from '#platform/jobs/queue.ts'
import { checkDuties } from './commands/decide-duty.ts'
import { readRuleFile, refuseClashes } from './read-rule-file.ts'

const shipped = new URL('rules.json', import.meta.url)

/** Brings the rules up to those of this release. A file with a fault changes nothing: the rules in force stay. */
export async function loadShippedRules(db: Database): Promise<void> {
  const rules = readRuleFile('rules.json', await readFile(shipped, 'utf8'))
  await db.system(async (statements) => {
    if ((await writeRules(statements, rules)) > 0) await askEveryShopAgain(statements)
  })
}

/**
 * An operator's own file: its rules replace those of the same ids for good, also when a release ships others. It is
 * taken whole or not at all, and no rule of it may contradict one that is in force. Every shop's open orders are asked
 * again.
 */
export async function loadOwnRules(
  db: Database,
  { file, text }: { file: string; text: string },
): Promise<{ read: number; changed: number }> {
  const rules = readRuleFile(file, text)
  const changed = await db.system(async (statements) => {
    const ids = new Set(rules.map(({ id }) => id))
    const others = (await readRules(statements)).filter(({ id }) => !ids.has(id))
    refuseClashes(file, rules, others)
    const count = await writeRules(statements, rules, { areOwn: true })
    if (count > 0) await askEveryShopAgain(statements)
    return count
  })
  return { read: rules.length, changed }
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

async function readRules({ query }: Statements): Promise<DutyRule[]> {
  // Two files that come in at the same time would not see each other's rules.
  await query('select pg_advisory_xact_lock(hashtextextended($1, 50))', ['duty_rules'])
  const rows = await query<{ rule: string }>(
    `select json_build_object('id', rule_id, 'country', country, 'state', state, 'kind', kind, 'applies', applies,
       'value', value, 'words', words, 'source', source, 'sure', sure, 'read_on', read_on, 'valid_from', valid_from,
       'valid_to', valid_to) as rule
     from duty_rules`,
  )
  return rows.map(({ rule }) => JSON.parse(rule) as DutyRule)
}

/**
 * Answers how many rules changed; each of them keeps its text of before as a version. A rule that the file no longer
 * names stays, because histories and decisions name it; `valid_to` ends a rule.
 */
export async function writeRules(
  { query }: Statements,
  rules: readonly DutyRule[],
  { areOwn = false }: { areOwn?: boolean } = {},
): Promise<number> {
  const changed = await query(
    `with changed as (
       insert into duty_rules as r (rule_id, country, state, kind, applies, value, words, source, sure, read_on, valid_from, valid_to, is_own)
       select rule->>'id', rule->>'country', rule->>'state', rule->>'kind', rule->'applies', rule->'value', rule->>'words',
         rule->>'source', rule->>'sure', (rule->>'read_on')::date, (rule->>'valid_from')::date, (rule->>'valid_to')::date, $2
       from json_array_elements($1::json) rule order by rule->>'id'
       on conflict (rule_id) do update set country = excluded.country, state = excluded.state, kind = excluded.kind,
         applies = excluded.applies, value = excluded.value, words = excluded.words, source = excluded.source,
         sure = excluded.sure, read_on = excluded.read_on, valid_from = excluded.valid_from, valid_to = excluded.valid_to,
         is_own = excluded.is_own
       where (excluded.is_own or not r.is_own)
         and (r.state, r.kind, r.applies::text, r.value::text, r.words, r.source, r.sure, r.read_on, r.valid_from, r.valid_to, r.is_own)
         is distinct from (excluded.state, excluded.kind, excluded.applies::text, excluded.value::text, excluded.words,
         excluded.source, excluded.sure, excluded.read_on, excluded.valid_from, excluded.valid_to, excluded.is_own)
       returning rule_id
     )
     insert into duty_rule_versions (rule_id, version_no, rule)
     select rule_id, 1 + coalesce((select max(version_no) from duty_rule_versions v where v.rule_id = c.rule_id), 0),
       (select rule from json_array_elements($1::json) rule where rule->>'id' = c.rule_id)
     from changed c
     returning rule_id`,
    [JSON.stringify(rules), areOwn],
  )
  // Orders may have been asked about since: the next sweep asks once more.
  if (changed.length > 0) await query('delete from duty_checks')
  return changed.length
}
