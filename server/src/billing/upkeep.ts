import type { Upkeep } from '#platform/upkeep/upkeep.ts'

export const billingUpkeep: Upkeep = {
  // What the demo's payment provider would keep on its side.
  stays: ['sandbox_payment_accounts'],
}
