import type { Upkeep } from '#platform/upkeep/upkeep.ts'
import { checkFieldsPurpose } from './document/age-check-fields.ts'

export const ordersUpkeep: Upkeep = {
  sweeps: [
    {
      table: 'order_alarms',
      key: 'merchant_id, order_id, kind',
      which: "raised_at < now() - interval '7 days'",
    },
    { table: 'order_presence', key: 'merchant_id, user_id, screen', which: 'expires_at < now()' },
  ],
  sealedColumns: [
    {
      table: 'age_check_fields',
      keys: ['merchant_id', 'order_id', 'checked_at'],
      column: 'fields_sealed',
      purpose: checkFieldsPurpose,
    },
  ],
  purges: [{ kind: 'fields of an ID check', of: 'id_fields', table: 'age_check_fields', at: 'checked_at' }],
}
