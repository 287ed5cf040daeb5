import { messages } from '@cellarhand/contract/messages'
import { isValidUsPhone } from '@cellarhand/contract/phone'
import type { Telling, WatchSettings } from '@cellarhand/contract/watch'
import type { Statements } from '#platform/db/database.ts'
import { refuseInvalid } from '#platform/http/refuse.ts'
import { getWatch, storedTelling } from '../reads.ts'

/** Saves the fields that are given, and no other: a clerk may have taken the duty meanwhile. The five minutes begin anew. */
export async function saveWatch(statements: Statements, merchantId: string, given: WatchSettings) {
  await statements.query(
    'insert into watches (merchant_id, is_on) values ($1, false) on conflict (merchant_id) do nothing',
    [merchantId],
  )
  // Two saves, or a save and a clerk who takes the duty, come one after the other.
  await statements.query('select 1 from watches where merchant_id = $1 for update', [merchantId])
  const { people, ...saved } = await getWatch(statements, merchantId)
  const { is_on: isOn, duty, owner } = { ...saved, ...given }
  const problemOf = (telling: Telling | null | undefined, mustOwn: boolean): string | undefined => {
    if (!telling) return undefined
    const person = people.find(({ id }) => id === telling.user_id)
    if (person === undefined) return 'Must be a person of the store'
    return mustOwn && !person.is_owner ? 'Must be an owner' : undefined
  }
  const phoneProblem = (telling: Telling | null | undefined): string | undefined =>
    telling?.by === 'text' && !isValidUsPhone(telling.phone ?? '') ? messages.invalidPhone : undefined
  refuseInvalid({
    duty: problemOf(given.duty, false),
    owner: isOn && owner === null ? messages.requiredField('owner') : problemOf(given.owner, true),
    'duty.phone': phoneProblem(given.duty),
    'owner.phone': phoneProblem(given.owner),
  })
  await statements.query(
    'update watches set is_on = $2, duty = $3, owner = $4, since_at = now() where merchant_id = $1',
    [merchantId, isOn, storedTelling(duty), storedTelling(owner)],
  )
  return getWatch(statements, merchantId)
}
