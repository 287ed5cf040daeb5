import { leaseEnd } from '#platform/jobs/claim.ts'
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
  stays: ['sandbox_couriers', 'sandbox_texts', 'text_opt_outs'],
  underWay: [
    `select from courier_deliveries where merchant_id = $1 and state = 'asking' and due_at between now() and ${leaseEnd}`,
  ],
  purges: [
    {
      kind: 'courier’s proof of a delivery',
      of: 'courier_proofs',
      table: 'courier_proofs',
      at: 'delivered_at',
      parts: `concat_ws(', ',
        case when p.signature is not null then 'signature-' || p.attempt || '.' || split_part(p.media_type, '/', 2) end,
        case when p.signed_by is not null then 'name of the signer' end,
        case when p.is_id_checked is not null then 'result of the ID check' end)`,
    },
  ],
}
