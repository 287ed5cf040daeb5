import { twilioSignature } from '../../src/delivery/texts/twilio.ts'
import type { DeskCalls } from '../desk.ts'

/** A signed callback to an address that the server gave, whichever server listens there by now. */
export function tellStatus(desk: Pick<DeskCalls, 'send'>, url: string, fields: Record<string, string>) {
  const { pathname, search } = new URL(url)
  return desk.send('POST', `${pathname}${search}`, {
    body: new URLSearchParams(fields).toString(),
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'x-twilio-signature': twilioSignature('token-1', url, fields),
    },
  })
}
