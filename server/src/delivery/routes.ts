import { editDeliveryInstructions, saveDeliveryDetails } from '@cellarhand/contract/delivery'
import type { Database } from '#platform/db/database.ts'
import type { Http } from '#platform/http/server.ts'
import { JsonText } from '#platform/http/server.ts'
import { actorOf } from '#orders/public.ts'
import { changeDeliveryInstructions } from './commands/change-delivery-instructions.ts'
import { saveDelivery } from './commands/save-delivery.ts'

export function serveDelivery(
  { serve }: Http,
  { db, onChange }: { db: Database; onChange: () => void },
): void {
  serve(editDeliveryInstructions, async ({ caller, params, body }) => {
    const step = { merchantId: caller.merchantId, orderId: params.id, actor: actorOf(caller) }
    const text = await db.write(caller.merchantId, (statements) =>
      changeDeliveryInstructions(statements, step, body.delivery_instructions),
    )
    onChange()
    return new JsonText(text)
  })
  serve(saveDeliveryDetails, async ({ caller, params, body }) => {
    const step = { merchantId: caller.merchantId, orderId: params.id, actor: actorOf(caller) }
    const delivery_info = await db.write(caller.merchantId, (statements) =>
      saveDelivery(statements, step, body),
    )
    onChange()
    return { delivery_info }
  })
}
