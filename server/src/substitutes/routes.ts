import * as lines from '@cellarhand/contract/substitutes'
import type { FastifyRequest } from 'fastify'
import { stepOf } from '#orders/public.ts'
import type { Database } from '#platform/db/database.ts'
import { createCommands } from '#platform/http/command.ts'
import type { Http } from '#platform/http/server.ts'
import { Refused } from '#platform/http/refuse.ts'
import { answerOffer } from './commands/answer-offer.ts'
import { offerSubstitutes, type CustomerMessages } from './commands/offer-substitutes.ts'
import { saveSettings } from './commands/save-settings.ts'
import { withdrawSubstitutes } from './commands/withdraw-substitutes.ts'
import type { OfferLinks } from './links.ts'
import { messagePage, offerPage, pageStyle } from './offer-page.ts'
import { findOffer, getSettings, type CustomersOffer } from './reads.ts'
import { countVisit } from './visits.ts'

export interface SubstituteDeps {
  readonly db: Database
  readonly product: string
  readonly links: OfferLinks
  readonly messages: CustomerMessages
  /** Called after a change of an order. */
  readonly onChange: () => void
  /** Called after an offer, whose message may leave at once. */
  readonly onOffer: () => void
}

export function serveSubstitutes(http: Http, deps: SubstituteDeps): void {
  const { db, messages, onChange, onOffer } = deps
  http.serve(lines.getSubstituteSettings, ({ caller: { merchantId } }) =>
    db.read(merchantId, (statements) => getSettings(statements, merchantId)),
  )
  const settings = createCommands(http, { db })
  settings.command(lines.updateSubstituteSettings, (statements, { merchantId, body }) =>
    saveSettings(statements, merchantId, body),
  )
  const offering = createCommands(http, {
    db,
    onChange() {
      onChange()
      onOffer()
    },
  })
  offering.command(lines.offerSubstitutes, (statements, call) => {
    const { version, ...wish } = call.body
    return offerSubstitutes(statements, { ...stepOf(call), seenVersion: version, messages }, wish)
  })
  createCommands(http, { db, onChange }).command(lines.withdrawSubstitutes, (statements, call) =>
    withdrawSubstitutes(statements, stepOf(call), call.params.offer),
  )
  serveCustomers(http, deps)
}

interface Page {
  readonly status: number
  readonly html: string
}

function serveCustomers({ serve }: Http, { db, product, links, onChange }: SubstituteDeps): void {
  const words = (status: number, title: string, text: string): Page => ({
    status,
    html: messagePage({ shop: product, title, text }),
  })
  /** The offer of a good link, or the page that says why there is none. */
  async function open(token: string, request: FastifyRequest): Promise<CustomersOffer | Page> {
    const link = links.read(token)
    const offerId = link?.isSigned === true ? link.offerId : undefined
    if (await countVisit(db, { offerId, address: request.ip }))
      return words(429, 'Too many visits', 'Please wait a few minutes, then open the link again.')
    const found = link && (await findOffer(db, link))
    return (
      found ??
      words(
        404,
        'This link does not work',
        'Please open the whole link from the message. An old link works no more: then ask the shop.',
      )
    )
  }
  serve(lines.readOfferPage, async ({ params, query, request, reply }) => {
    const found = await open(params.token, request)
    const page =
      'html' in found
        ? found
        : {
            status: 200,
            html: offerPage({
              found,
              address: `/substitutes/${params.token}`,
              nowMs: db.clock.nowMs(),
              lacksChoice: query.choose !== undefined,
            }),
          }
    return reply.code(page.status).type('text/html; charset=utf-8').send(page.html)
  })
  serve(lines.answerOffer, async ({ params, body, request, reply }) => {
    const found = await open(params.token, request)
    if ('html' in found) return reply.code(found.status).type('text/html; charset=utf-8').send(found.html)
    try {
      const { merchantId } = found
      const isAnswer = await db.write(merchantId, (statements) => answerOffer(statements, found, body.choice))
      onChange()
      return reply.redirect(`/substitutes/${params.token}${isAnswer ? '' : '?choose=1'}`, 303)
    } catch (error) {
      // The error handler leads to the shop's new cell.
      if (!(error instanceof Refused) || error.details.movedTo !== undefined) throw error
      const { status, html } = words(error.status, 'Your answer was not taken', error.message)
      return reply.code(status).type('text/html; charset=utf-8').send(html)
    }
  })
  serve(lines.readOfferStyle, async ({ reply }) => reply.type('text/css; charset=utf-8').send(pageStyle))
}
