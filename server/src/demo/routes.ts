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

/** Not routed outside the demo, not even as something that is missing. */
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
