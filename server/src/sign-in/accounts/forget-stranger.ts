import type { Statements } from '#platform/db/database.ts'
import { forgetNetworks } from '../limits/known-networks.ts'
import { clearSecondStep } from '../second-step/second-step.ts'

/**
 * Ends what lets somebody in, or gives somebody room for guesses, beside the password: a stranger may have set it up
 * before the account was its mailbox's (decision 0014). The transaction has locked the user.
 */
export async function forgetStranger(statements: Statements, userId: string): Promise<void> {
  await clearSecondStep(statements, userId)
  await forgetNetworks(statements, userId)
}
