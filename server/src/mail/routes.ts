import { receiveBounces } from '@cellarhand/contract/mail'
import type { Database } from '#platform/db/database.ts'
import { refuse } from '#platform/http/refuse.ts'
import type { Http } from '#platform/http/server.ts'
import { noteBounce } from '#platform/mail/undelivered.ts'
import { readBasicCredential, sameSecret } from '#platform/same-secret.ts'
import { readBounces } from './read-bounces.ts'

export interface MailDeps {
  readonly db: Database
  /** name:secret that the mail provider calls back with; without it nobody may. */
  readonly webhookCredential: string | undefined
}

export function serveMail({ serve }: Http, { db, webhookCredential }: MailDeps): void {
  serve(receiveBounces, async ({ body, request }) => {
    const given = readBasicCredential(request.headers.authorization)
    if (webhookCredential === undefined || !sameSecret(given, webhookCredential)) refuse('bad_callback')
    for (const bounce of readBounces(body)) await noteBounce(db, bounce)
    return {}
  })
}
