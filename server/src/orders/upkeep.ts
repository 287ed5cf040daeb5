import type { Upkeep } from '#platform/upkeep/upkeep.ts'

export const ordersUpkeep: Upkeep = {
  sweeps: [
    {
      table: 'order_alarms',
      key: 'merchant_id, order_id, kind',
      which: "raised_at < now() - interval '7 days'",
    },
    { table: 'order_presence', key: 'merchant_id, user_id, screen', which: 'expires_at < now()' },
  ],
}
