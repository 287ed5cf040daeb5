import type { RecipientAddress } from '@cellarhand/contract/recipient-address'
import { isValidUsPhone } from '@cellarhand/contract/phone'
import type { Statements } from '#platform/db/database.ts'
import { refuseInvalid } from '#platform/http/refuse.ts'
import { moveOrder } from '../document/move-order.ts'
import { zipProblem } from '../document/order-problems.ts'
import type { StoredOrder } from '../document/stored-order.ts'
import type { MerchantStep } from '../document/merchant-step.ts'

/** The name stays: another recipient is another order, and what is checked at the door. */
export async function correctAddress(
  statements: Statements,
  step: MerchantStep,
  typed: RecipientAddress,
): Promise<string> {
  const filled = (text: string | null | undefined): string | null => text?.trim() || null
  const phone = filled(typed.phone_number)
  const zipcode = typed.zipcode.trim()
  const action = 'correct_address'
  return moveOrder(statements, { ...step, action, onlyAfter: [action] }, ({ recipient }) => {
    // The marketplace's number is not checked, so one that the clerk leaves as it is must not hold up a street.
    const isNewPhone = phone !== null && phone !== filled(recipient.phone_number)
    refuseInvalid({
      zipcode: zipProblem({ country: recipient.country, zipcode }),
      phone_number: isNewPhone && !isValidUsPhone(phone) ? 'Please enter a valid phone number' : undefined,
    })
    const corrected = {
      ...recipient,
      street_1: typed.street_1.trim(),
      street_2: filled(typed.street_2),
      street_3: filled(typed.street_3),
      city: typed.city.trim(),
      state: typed.state.trim(),
      zipcode,
      phone_number: phone,
    }
    return {
      patch: { recipient: corrected },
      details: { was: inOneLine(recipient), now: inOneLine(corrected) },
    }
  })
}

function inOneLine({
  street_1,
  street_2,
  street_3,
  city,
  state,
  zipcode,
  phone_number,
}: StoredOrder['recipient']) {
  return [street_1, street_2, street_3, `${city}, ${state} ${zipcode}`, phone_number]
    .filter(Boolean)
    .join(', ')
}
