import {
  listOutbox,
  readOutboxPage,
  readOutboxStyle,
  replyToText,
  trackSandboxCourier,
} from '@cellarhand/contract/demo'
import type { Endpoint } from '@cellarhand/contract/endpoint'
import type { Http } from '#platform/http/server.ts'
import { outboxPage, outboxStyle } from './outbox-page.ts'
import { listMessages, type OutboxDeps } from './reads.ts'

/** Outside the demo these calls get no route, not even one that answers 501. */
export const demoCalls: readonly Endpoint[] = [
  listOutbox,
  readOutboxPage,
  readOutboxStyle,
  replyToText,
  trackSandboxCourier,
]

export function serveDemo({ serve }: Http, deps: OutboxDeps & { readonly product: string }): void {
  serve(listOutbox, async () => ({ items: await listMessages(deps) }))
  serve(readOutboxPage, async ({ reply }) =>
    reply.type('text/html; charset=utf-8').send(outboxPage(await listMessages(deps), deps.product)),
  )
  serve(readOutboxStyle, async ({ reply }) => reply.type('text/css; charset=utf-8').send(outboxStyle))
}
