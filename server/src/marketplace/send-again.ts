import type { Database } from '#platform/db/database.ts'
import { makeDueAgain } from '#platform/events/event-queue.ts'

interface SentAgain {
  readonly count: number
  /** For the operator, who waits for them at the receiver. */
  readonly lines: readonly string[]
}

/** Sends the events once more that were given up, or the one that is named. */
export async function sendAgain(db: Database, webhookId?: string): Promise<SentAgain> {
  const count = await makeDueAgain(db, webhookId)
  const wait = count === 0 ? undefined : await whatTheyWaitFor(db)
  return {
    count,
    lines: [`Events that are sent again: ${count}.`, ...(wait === undefined ? [] : [wait])],
  }
}

async function whatTheyWaitFor(db: Database): Promise<string | undefined> {
  const [webhook] = await db.systemQuery<{
    disabled_because: string | null
    is_off: boolean
    is_held: boolean
  }>(
    'select disabled_because, disabled_at is not null as is_off, held_at is not null as is_held from webhook_endpoint',
  )
  if (webhook === undefined)
    return 'No webhook is registered: they go out when the marketplace registers one.'
  if (webhook.is_off)
    return `The webhook is switched off (${webhook.disabled_because ?? 'no reason is on record'}): they go out when the marketplace registers it again.`
  if (webhook.is_held) return 'A restore holds events back: they go out after npm run admin -- release.'
  return undefined
}
