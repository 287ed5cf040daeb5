import { messages } from '@cellarhand/contract/messages'
import { isValidUsPhone } from '@cellarhand/contract/phone'
import type { Telling, WatchSettings } from '@cellarhand/contract/watch'
import type { Statements } from '#platform/db/database.ts'
import { refuseInvalid } from '#platform/http/refuse.ts'
import { getWatch, storedTelling } from '../reads.ts'

/** Saves the people who are told. The five minutes begin anew. */
export async function saveWatch(statements: Statements, merchantId: string, settings: WatchSettings) {
  const { is_on: isOn, duty, owner } = settings
  const { people } = await getWatch(statements, merchantId)
  const problemOf = (telling: Telling | null, mustOwn: boolean): string | undefined => {
    if (telling === null) return undefined
    const person = people.find(({ id }) => id === telling.user_id)
    if (person === undefined) return 'Must be a person of the store'
    return mustOwn && !person.is_owner ? 'Must be an owner' : undefined
  }
  const phoneProblem = (telling: Telling | null): string | undefined =>
    telling?.by === 'text' && !isValidUsPhone(telling.phone ?? '') ? messages.invalidPhone : undefined
  refuseInvalid({
    duty: problemOf(duty, false),
    owner: isOn && owner === null ? messages.requiredField('owner') : problemOf(owner, true),
    'duty.phone': phoneProblem(duty),
    'owner.phone': phoneProblem(owner),
  })
  await statements.query(
    `insert into watches (merchant_id, is_on, duty, owner) values ($1, $2, $3, $4)
     on conflict (merchant_id) do update set is_on = excluded.is_on, duty = excluded.duty, owner = excluded.owner, since_at = now()`,
    [merchantId, isOn, storedTelling(duty), storedTelling(owner)],
  )
  return getWatch(statements, merchantId)
}
