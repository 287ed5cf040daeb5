import {
  changeOrderStatus,
  createOrder as createOrderCall,
  readEvents,
  readOrder,
  registerWebhook,
  reportCarrierEvent as carrierEventCall,
  reportCourierEvent as courierEventCall,
} from '@cellarhand/contract/marketplace'
import type { Database, Statements } from '#platform/db/database.ts'
import { runCommand, type IdempotentRequest } from '#platform/http/idempotency.ts'
import { JsonText, type Http } from '#platform/http/server.ts'
import {
  changeByMarketplace,
  createOrder,
  findMerchantOfOrder,
  getOrderText,
  reportCarrierEvent,
  reportCourierEvent,
  submittedAt,
  type Actor,
  type OrderKey,
} from '#orders/public.ts'
import { saveWebhook } from './commands/save-webhook.ts'
import { listEvents } from './reads.ts'
import type { WebhookPolicy } from './webhook-address.ts'

export interface MarketplaceDeps {
  readonly db: Database
  readonly onChange: () => void
  readonly webhooks: WebhookPolicy
}

const marketplace: Actor = { kind: 'marketplace', id: null, name: 'Marketplace' }

export function serveMarketplace({ serve }: Http, { db, onChange, webhooks }: MarketplaceDeps): void {
  serve(createOrderCall, async ({ body, idempotent, request }) => {
    const { note } = submittedAt(body.date_submitted, Date.now())
    if (note !== undefined) request.log.warn(note, "an order's date is ahead of this server's clock")
    const actor = { ...marketplace, name: body.application_name ?? marketplace.name }
    const reply = await runCommand(db, { merchantId: body.merchant, idempotent }, async (statements) => ({
      status: 201,
      text: await createOrder(statements, body, actor),
    }))
    onChange()
    return new JsonText(reply.text, reply.status)
  })

  async function change(
    orderId: string,
    idempotent: IdempotentRequest | undefined,
    command: (statements: Statements, key: OrderKey) => Promise<string>,
  ) {
    const key = { merchantId: await findMerchantOfOrder(db, orderId), orderId }
    const reply = await runCommand(db, { merchantId: key.merchantId, idempotent }, async (statements) => ({
      status: 200,
      text: await command(statements, key),
    }))
    onChange()
    return new JsonText(reply.text, reply.status)
  }
  serve(changeOrderStatus, ({ params, body, idempotent }) =>
    change(params.id, idempotent, (statements, key) =>
      changeByMarketplace(statements, { ...key, actor: marketplace }, body),
    ),
  )
  serve(courierEventCall, ({ params, body, idempotent }) =>
    change(params.id, idempotent, (statements, key) => reportCourierEvent(statements, key, body)),
  )
  serve(carrierEventCall, ({ params, body, idempotent }) =>
    change(params.id, idempotent, (statements, key) => reportCarrierEvent(statements, key, body)),
  )
  serve(
    readOrder,
    async ({ params }) =>
      new JsonText(await getOrderText(db, await findMerchantOfOrder(db, params.id), params.id)),
  )
  serve(readEvents, async ({ query }) => listEvents(db, query))
  serve(registerWebhook, async ({ body }) => saveWebhook(db, webhooks, body))
}
