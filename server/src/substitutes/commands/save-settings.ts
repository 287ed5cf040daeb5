import type { SubstituteSettings } from '@cellarhand/contract/substitutes'
import type { Statements } from '#platform/db/database.ts'

/** For the offers from now on: an open one keeps what the customer was told. */
export async function saveSettings(
  { query }: Statements,
  merchantId: string,
  settings: SubstituteSettings,
): Promise<SubstituteSettings> {
  await query(
    `insert into substitute_settings (merchant_id, minutes, silence) values ($1, $2, $3)
     on conflict (merchant_id) do update set minutes = excluded.minutes, silence = excluded.silence`,
    [merchantId, settings.minutes, settings.silence],
  )
  return settings
}
