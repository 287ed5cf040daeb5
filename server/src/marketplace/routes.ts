import * as lines from '@cellarhand/contract/marketplace'
import type { Database } from '#platform/db/database.ts'
import { createCommands } from '#platform/http/command.ts'
import { JsonText, type Http } from '#platform/http/server.ts'
import {
  changeByMarketplace,
  createOrder,
  findMerchantOfOrder,
  getOrderText,
  listOrdersOfMarketplace,
  reportCarrierEvent,
  reportCourierEvent,
  submittedAt,
  type Actor,
  type OrderKey,
} from '#orders/public.ts'
import { saveWebhook } from './commands/save-webhook.ts'
import { getWebhook, listEvents } from './reads.ts'
import type { WebhookPolicy } from './webhook-address.ts'

export interface MarketplaceDeps {
  readonly db: Database
  readonly onChange: () => void
  readonly webhooks: WebhookPolicy
}

interface OfOrder {
  readonly params: { readonly id: string }
}

const marketplace: Actor = { kind: 'marketplace', id: null, name: 'Marketplace' }

export function serveMarketplace(http: Http, deps: MarketplaceDeps): void {
  const { serve } = http
  const { db, webhooks } = deps
  const { commandFor } = createCommands(http, deps)
  commandFor(
    lines.createOrder,
    ({ body }) => body.merchant,
    (statements, { body, request }) => {
      const { note } = submittedAt(body.date_submitted, statements.clock.nowMs())
      if (note !== undefined) request.log.warn(note, "an order's date is ahead of this server's clock")
      return createOrder(statements, body, {
        ...marketplace,
        name: body.application_name ?? marketplace.name,
      })
    },
  )
  const ofOrder = ({ params }: OfOrder) => findMerchantOfOrder(db, params.id)
  const keyOf = ({ merchantId, params }: OfOrder & { merchantId: string }): OrderKey => ({
    merchantId,
    orderId: params.id,
  })
  commandFor(lines.changeOrderStatus, ofOrder, (statements, call) =>
    changeByMarketplace(statements, { ...keyOf(call), actor: marketplace }, call.body),
  )
  commandFor(lines.reportCourierEvent, ofOrder, (statements, call) =>
    reportCourierEvent(statements, keyOf(call), call.body),
  )
  commandFor(lines.reportCarrierEvent, ofOrder, (statements, call) =>
    reportCarrierEvent(statements, keyOf(call), call.body),
  )
  serve(
    lines.readOrder,
    async ({ params }) =>
      new JsonText(await getOrderText(db.view, await findMerchantOfOrder(db, params.id), params.id)),
  )
  serve(
    lines.listMarketplaceOrders,
    async ({ query }) => new JsonText(await listOrdersOfMarketplace(db, query)),
  )
  serve(lines.readEvents, async ({ query }) => listEvents(db, query))
  serve(lines.registerWebhook, async ({ body }) => saveWebhook(db, webhooks, body))
  serve(lines.readWebhook, async () => getWebhook(db))
}
