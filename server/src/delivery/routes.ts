import {
  bringBack as bringBackCall,
  editDeliveryInstructions,
  getStaticMap,
  saveDeliveryDetails,
} from '@cellarhand/contract/delivery'
import { messages } from '@cellarhand/contract/messages'
import { refuseInvalid } from '#platform/http/refuse.ts'
import { runCommand } from '#platform/http/idempotency.ts'
import { JsonText, type Http } from '#platform/http/server.ts'
import { actorOf } from '#orders/public.ts'
import { bringBack, type RefusedHandOver } from './commands/bring-back.ts'
import { changeDeliveryInstructions } from './commands/change-delivery-instructions.ts'
import { saveDelivery } from './commands/save-delivery.ts'
import { serveCouriers, type CourierDeps } from './couriers/courier-routes.ts'
import { serveTexts, type TextDeps } from './texts/text-routes.ts'
import type { StaticMaps } from './maps/static-maps.ts'

export interface DeliveryDeps extends CourierDeps, TextDeps {
  readonly maps: StaticMaps
}

const largestSide = 1280

export function serveDelivery(http: Http, deps: DeliveryDeps): void {
  const { serve } = http
  const { db, maps, onChange } = deps
  serveCouriers(http, deps)
  serveTexts(http, deps)
  serve(editDeliveryInstructions, async ({ caller, params, body, idempotent }) => {
    const step = { merchantId: caller.merchantId, orderId: params.id, actor: actorOf(caller) }
    const reply = await runCommand(db, { merchantId: caller.merchantId, idempotent }, async (statements) => ({
      status: 200,
      text: await changeDeliveryInstructions(statements, step, body.delivery_instructions),
    }))
    onChange()
    return new JsonText(reply.text, reply.status)
  })
  serve(saveDeliveryDetails, async ({ caller, params, body, idempotent }) => {
    const step = { merchantId: caller.merchantId, orderId: params.id, actor: actorOf(caller) }
    const reply = await runCommand(db, { merchantId: caller.merchantId, idempotent }, async (statements) => ({
      status: 200,
      text: JSON.stringify({ delivery_info: await saveDelivery(statements, step, body) }),
    }))
    onChange()
    return new JsonText(reply.text, reply.status)
  })
  serve(bringBackCall, async ({ caller, params, body, idempotent }) => {
    const step = { merchantId: caller.merchantId, orderId: params.id, actor: actorOf(caller) }
    const reply = await runCommand(db, { merchantId: caller.merchantId, idempotent }, async (statements) => ({
      status: 200,
      text: await bringBack(statements, step, body as RefusedHandOver),
    }))
    onChange()
    return new JsonText(reply.text, reply.status)
  })
  serve(getStaticMap, async ({ query, reply }) => {
    const { center, zoom = 16, size = '640x480' } = query
    const [width = 0, height = 0] = size.split('x').map(Number)
    refuseInvalid({
      center: center.trim() === '' ? messages.requiredField('address') : undefined,
      size:
        Math.max(width, height) > largestSide ? `Must be at most ${largestSide} pixels a side` : undefined,
    })
    const picture = await maps({ address: center.trim(), zoom, width, height })
    return reply.type(picture.type).header('cache-control', picture.cacheControl).send(picture.bytes)
  })
}
