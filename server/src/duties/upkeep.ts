import type { Upkeep } from '#platform/upkeep/upkeep.ts'
import { askWithNextSweep } from './commands/decide-duty.ts'

export const dutiesUpkeep: Upkeep = {
  // Rules of law are the same for every merchant of the installation.
  stays: ['duty_rules', 'duty_rule_versions'],
  async afterArrival(statements, merchantId) {
    const { query } = statements
    // The open orders carry the answers of the other cell's rules: the next sweep asks them by the rules of this one.
    await askWithNextSweep(statements, merchantId)
    const [unknown] = await query<{ rule_id: string }>(
      `select rule_id from duty_decisions d where merchant_id = $1
         and not exists (select from duty_rules r where r.rule_id = d.rule_id) limit 1`,
      [merchantId],
    )
    return unknown === undefined
      ? undefined
      : `The owner has decided about the rule ${unknown.rule_id}, which this cell does not have. Load its file of rules first: npm run admin -- load-duties`
  },
  /** A restore ends all jobs, also one that had yet to ask a shop's orders again: the next sweep asks every shop. */
  async afterRestore({ query }) {
    await query('delete from duty_checks')
  },
}
