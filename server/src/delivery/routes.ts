import * as lines from '@cellarhand/contract/delivery'
import { messages } from '@cellarhand/contract/messages'
import { refuseInvalid } from '#platform/http/refuse.ts'
import { createCommands } from '#platform/http/command.ts'
import type { Http } from '#platform/http/server.ts'
import { stepOf } from '#orders/public.ts'
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
  const { command } = createCommands(http, deps)
  serveCouriers(http, deps)
  serveTexts(http, deps)
  command(lines.editDeliveryInstructions, (statements, call) =>
    changeDeliveryInstructions(
      statements,
      { ...stepOf(call), seenVersion: call.body.version },
      call.body.delivery_instructions,
    ),
  )
  command(lines.saveDeliveryDetails, async (statements, call) => ({
    delivery_info: await saveDelivery(statements, stepOf(call), call.body),
  }))
  command(lines.bringBack, (statements, call) =>
    bringBack(statements, stepOf(call), call.body as RefusedHandOver),
  )
  http.serve(lines.getStaticMap, async ({ query, reply }) => {
    const { center, zoom = 16, size = '640x480' } = query
    const [width = 0, height = 0] = size.split('x').map(Number)
    refuseInvalid({
      center: center.trim() === '' ? messages.requiredField('address') : undefined,
      size:
        Math.max(width, height) > largestSide ? `Must be at most ${largestSide} pixels a side` : undefined,
    })
    const picture = await deps.maps({ address: center.trim(), zoom, width, height })
    return reply.type(picture.type).header('cache-control', picture.cacheControl).send(picture.bytes)
  })
}
