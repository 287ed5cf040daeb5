import { importInventory } from '../../server/src/inventory/public.ts'
import { systemClock } from '../../server/src/platform/clock/system-clock.ts'
import { openDatabase } from '../../server/src/platform/db/database.ts'
import { say } from './say.ts'

function stockList(offerings: number): string {
  const kinds = ['Riesling', 'Château Rouge', 'Bourbon', 'Mezcal', 'Cider', 'Amaro', 'IPA']
  const sizes = ['750 mL', '1.5 L', '6 x 12 oz', '375 mL']
  const lines = Array.from({ length: offerings }, (_, index) => {
    const scattered = (index * 7919) % offerings
    const kind = kinds[scattered % kinds.length] ?? ''
    return `O-${index},${(scattered % 200) + 0.99},${scattered % 60},tp-${scattered},${kind} ${scattered},House ${scattered % 80},${sizes[index % 4] ?? ''}`
  })
  return ['offering_id,price,quantity,product_id,product_name,brand,container_size', ...lines].join('\n')
}

/** Imports a stock list of so many offerings. */
export async function fillShelves(
  url: string,
  { merchantKey, offerings }: { readonly merchantKey: string; readonly offerings: number },
): Promise<void> {
  const db = openDatabase({ url }, { clock: systemClock, onIdleError: (error) => say(String(error)) })
  await importInventory(db, { merchantKey, csv: stockList(offerings) })
  await db.close()
}
