import { receiveBounces } from '@cellarhand/contract/mail'
import type { Database } from '#platform/db/database.ts'
import { refuse } from '#platform/http/refuse.ts'
import type { Http } from '#platform/http/server.ts'
import { noteBounce } from '#platform/mail/undelivered.ts'
import { readBasicCredential, sameSecret } from '#platform/same-secret.ts'
import { readBounces } from './read-bounces.ts'
import { subscriptionLink } from './read-ses-events.ts'

export interface MailDeps {
  readonly db: Database
  /** name:secret of the mail provider's callbacks; without it, none are accepted. */
  readonly webhookCredential: string | undefined
}

export function serveMail({ serve }: Http, { db, webhookCredential }: MailDeps): void {
  serve(receiveBounces, async ({ body, request }) => {
    const { authorization } = request.headers
    if (webhookCredential === undefined) refuse('bad_callback')
    // Amazon sends the credential of its address only after a request for one.
    if (authorization === undefined) refuse('bad_client_credential')
    if (!sameSecret(readBasicCredential(authorization), webhookCredential)) refuse('bad_callback')
    const confirmAt = subscriptionLink(body)
    if (confirmAt !== undefined)
      request.log.warn({ confirmAt }, 'Amazon SNS tells of bounces once somebody has opened this link')
    for (const bounce of readBounces(body, new Date(db.clock.nowMs()))) await noteBounce(db, bounce)
    return {}
  })
}
