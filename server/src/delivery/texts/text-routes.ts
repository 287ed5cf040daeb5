import { replyToText, sendTextMessage, takeTextReply, takeTextStatus } from '@cellarhand/contract/delivery'
import type { Database } from '#platform/db/database.ts'
import { refuse } from '#platform/http/refuse.ts'
import type { Http } from '#platform/http/server.ts'
import { noteTextStatus, optIn, optOut, sendText } from './send-text.ts'
import { wishIn, type TextReply, type TextService } from './texts.ts'

export interface TextDeps {
  readonly db: Database
  readonly texts: TextService
  readonly isDemo: boolean
}

export function serveTexts({ serve }: Http, { db, texts, isDemo }: TextDeps): void {
  serve(sendTextMessage, async ({ caller, body, idempotent }) => {
    await sendText({ db, texts }, caller, { ...body, idempotent })
    return {}
  })

  async function take(reply: TextReply): Promise<void> {
    const wish = wishIn(reply.body)
    if (wish === 'stop') await optOut(db, reply.number, reply.body.trim().slice(0, 40))
    if (wish === 'start') await optIn(db, reply.number)
  }

  serve(takeTextStatus, async ({ params, query, request, reply }) => {
    if (params.service !== texts.slug) return refuse('not_found')
    const { headers, rawBody } = request
    const { message: messageId } = query
    const status = texts.readStatus({ headers, rawBody, messageId })
    if (status === undefined) return refuse('bad_callback')
    if (status !== null) await noteTextStatus(db, { ...status, service: texts.name, messageId })
    return reply.code(204).send()
  })
  serve(takeTextReply, async ({ params, request, reply }) => {
    if (params.service !== texts.slug) return refuse('not_found')
    const said = texts.readReply({ headers: request.headers, rawBody: request.rawBody })
    if (said === undefined) return refuse('bad_callback')
    if (said !== null) await take(said)
    return reply.code(204).send()
  })
  if (isDemo) {
    serve(replyToText, async ({ body, reply }) => {
      await take(body)
      return reply.redirect('/demo/outbox', 303)
    })
  }
}
