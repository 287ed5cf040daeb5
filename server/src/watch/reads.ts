import type { OnDuty, Telling, Watch } from '@cellarhand/contract/watch'
import type { Statements } from '#platform/db/database.ts'
import type { Staff } from '#platform/http/caller.ts'

/** A screen says that it watches every half minute. */
export const renewWithinMs = 30_000
/** Two reports may be lost. */
const liveSeconds = 75

export const liveScreens = `seen_at > now() - interval '${liveSeconds} s'`

export const ownerRole = 'merch.owner'

interface SettingsRow {
  readonly is_on: boolean
  readonly duty: string | null
  readonly owner: string | null
  readonly told_at: Date | null
}

export function tellingIn(stored: string | null): Telling | null {
  return stored === null ? null : (JSON.parse(stored) as Telling)
}

/** A phone that no message goes to is not kept. */
export function storedTelling(telling: Telling | null): string | null {
  return telling === null
    ? null
    : JSON.stringify({ ...telling, phone: telling.by === 'text' ? (telling.phone?.trim() ?? null) : null })
}

export async function getWatch({ query }: Statements, merchantId: string): Promise<Watch> {
  const [[settings], people, [live]] = await Promise.all([
    query<SettingsRow>(
      `select is_on, duty, owner, greatest(duty_told_at, owner_told_at) as told_at
       from watches where merchant_id = $1`,
      [merchantId],
    ),
    query<Watch['people'][number]>(
      `select user_id as id, first_name || ' ' || last_name as name, $2 = any (roles) as is_owner from users
       where merchant_id = $1 and password_hash is not null order by lower(last_name), lower(first_name), user_id`,
      [merchantId, ownerRole],
    ),
    query<{ n: number }>(
      `select count(*)::int as n from watch_screens where merchant_id = $1 and ${liveScreens}`,
      [merchantId],
    ),
  ])
  return {
    is_on: settings?.is_on ?? false,
    duty: tellingIn(settings?.duty ?? null),
    owner: tellingIn(settings?.owner ?? null),
    people,
    screens: live?.n ?? 0,
    told_at: settings?.told_at?.toISOString() ?? null,
  }
}

/** For every clerk: a name, and nobody's phone. A person who has left the shop is not on duty. */
export async function getOnDuty(
  { query }: Statements,
  { merchantId, userId }: Pick<Staff, 'merchantId' | 'userId'>,
): Promise<OnDuty> {
  const [settings] = await query<Pick<SettingsRow, 'is_on' | 'duty'>>(
    'select is_on, duty from watches where merchant_id = $1',
    [merchantId],
  )
  const telling = settings?.is_on ? tellingIn(settings.duty) : null
  const [person] =
    telling === null
      ? []
      : await query<{ name: string }>(
          `select first_name || ' ' || last_name as name from users
           where merchant_id = $1 and user_id = $2 and password_hash is not null`,
          [merchantId, telling.user_id],
        )
  const isSelf = telling?.user_id === userId
  return {
    is_on: settings?.is_on ?? false,
    person:
      person === undefined ? null : { name: person.name, is_self: isSelf, by: isSelf ? telling.by : null },
  }
}
