import type { Closing } from '@cellarhand/contract/duties'
import type { Statements } from '#platform/db/database.ts'

export async function saveClosing(
  { query }: Statements,
  merchantId: string,
  closing: Closing,
): Promise<void> {
  await query(
    `insert into duty_settings (merchant_id, closing) values ($1, $2)
     on conflict (merchant_id) do update set closing = excluded.closing`,
    [merchantId, closing],
  )
}
