import type { Upkeep } from '#platform/upkeep/upkeep.ts'

export const dutiesUpkeep: Upkeep = {
  // Rules of law are the same for every merchant of the installation.
  stays: ['duty_rules', 'duty_rule_versions'],
  async afterArrival({ query }, merchantId) {
    const [unknown] = await query<{ rule_id: string }>(
      `select rule_id from duty_decisions d where merchant_id = $1
         and not exists (select from duty_rules r where r.rule_id = d.rule_id) limit 1`,
      [merchantId],
    )
    return unknown === undefined
      ? undefined
      : `The owner has decided about the rule ${unknown.rule_id}, which this cell does not have. Load its file of rules first: npm run admin -- load-duties`
  },
}
