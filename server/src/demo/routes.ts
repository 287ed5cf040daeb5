import { listOutbox, readOutboxPage, readOutboxStyle } from '@cellarhand/contract/demo'
import type { Http } from '#platform/http/server.ts'
import { outboxPage, outboxStyle } from './outbox-page.ts'
import { listMessages, type OutboxDeps } from './reads.ts'

export function serveDemo({ serve }: Http, deps: OutboxDeps & { readonly product: string }): void {
  serve(listOutbox, async () => ({ items: await listMessages(deps) }))
  serve(readOutboxPage, async ({ reply }) =>
    reply.type('text/html; charset=utf-8').send(outboxPage(await listMessages(deps), deps.product)),
  )
  serve(readOutboxStyle, async ({ reply }) => reply.type('text/css; charset=utf-8').send(outboxStyle))
}
