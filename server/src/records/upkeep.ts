import type { Upkeep } from '#platform/upkeep/upkeep.ts'
import { checkFieldsPurpose } from './check-fields.ts'

export const recordsUpkeep: Upkeep = {
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
