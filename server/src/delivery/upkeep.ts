import type { Upkeep } from '#platform/upkeep/upkeep.ts'

export const deliveryUpkeep: Upkeep = {
  sweeps: [
    {
      table: 'text_messages',
      key: 'merchant_id, message_id',
      which: "created_at < now() - interval '7 days'",
    },
    { table: 'sandbox_texts', key: 'message_id', which: "created_at < now() - interval '7 days'" },
    {
      table: 'sandbox_couriers',
      key: 'delivery_id',
      which: "next_at is null and created_at < now() - interval '7 days'",
    },
  ],
}
