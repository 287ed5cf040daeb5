import type { RateLimit } from '#platform/db/rate-limit.ts'
import { networkOf } from '#platform/http/network.ts'
import { emailKey } from '../users/user-record.ts'

const day = { name: 'email-change', windowSeconds: 86_400 }
const perAccount = 10
/** As many as sign-ups, so that many accounts bring no more than one does. */
const perNetwork = 40
const perAddress = 5

interface EmailChange {
  readonly userId: string
  readonly email: string
  readonly network: string
}

/**
 * Each change can send a mail. A new address is counted for the network alone: a stranger elsewhere must not keep its
 * owner from using it (decision 0028).
 */
export function limitsOfEmailChange({ userId, email, network }: EmailChange): readonly RateLimit[] {
  const from = networkOf(network)
  return [
    { ...day, subject: `account ${userId}`, max: perAccount },
    { ...day, subject: `address ${emailKey(email)} ${from}`, max: perAddress },
    { ...day, subject: `network ${from}`, max: perNetwork },
  ]
}
