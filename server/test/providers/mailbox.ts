import type { Api } from '@cellarhand/contract/api'
import type { Desk } from '../desk.ts'

type Message = Api['GET /demo/outbox.json']['reply']['items'][number]

/** The mails promised to an address, newest first, as the demo's outbox shows them. */
export async function mailsTo(desk: Desk, email: string): Promise<Message[]> {
  const { body } = await desk.call('GET /demo/outbox.json')
  return body.items.filter(({ to }) => to === email)
}

/** The secret in the newest mail's link. */
export async function mailedToken(desk: Desk, email: string): Promise<string> {
  const [newest] = await mailsTo(desk, email)
  const token = newest?.links
    .map((link) => /\/(?:forgot\/password-reset|join)\/([\w-]+)$/.exec(link)?.[1])
    .find(Boolean)
  if (token === undefined) throw new Error(`No link was mailed to ${email}`)
  return token
}
