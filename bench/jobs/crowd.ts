import type { NewOrder } from '@cellarhand/contract/marketplace'
import type { Order, OrderPage } from '@cellarhand/contract/orders'
import { openDatabase } from '../../e2e/database.ts'
import { floodMerchant } from '../rig/many-orders.ts'
import { onDemand, type Ground } from './ground.ts'

const crowd = 720
/** From one order's deadline to the next one's: about 12 are nearly late, 30 minutes or 4 hours before it. */
const everySeconds = 450
/** The oldest of the crowd. A third of them are on their way, and no such order counts as late. */
const pastDeadline = 36

/** The shop, and where its server and its database are. */
interface Place extends Ground {
  readonly origin: string
  readonly dataDir: string
}

/** The open orders of the shop as its list counts them. */
export interface OpenOrders {
  readonly all: number
  readonly late: number
  readonly soon: number
}

/**
 * Fills the shop with open orders that the job passes over: accepted, with a slip, a third of them on their way. The
 * job's own orders come after it, since only a call tells the server that its counts have changed.
 */
export async function fillShop(ground: Place): Promise<void> {
  const { dataDir, shop, outside, bearer } = ground
  firstNumbers.set(shop.key, firstNumber(await handled(ground, {})))
  await handled(ground, { delivery: onDemand })
  await outside.update(bearer, await handled(ground, { delivery: onDemand }), { status: 'MERCHANT_SHIPPED' })
  const db = await openDatabase(dataDir)
  try {
    await floodMerchant(db, shop.key, {
      merchantId: shop.key,
      orders: crowd,
      firstNumber: firstNumbers.get(shop.key) ?? 0,
      everySeconds,
      dueSeconds: (crowd - pastDeadline) * everySeconds,
    })
  } finally {
    await db.end()
  }
}

const firstNumbers = new Map<string, number>()

/**
 * From the number of an order of the shop, since no two merchants share one. An order that comes by itself at about this
 * time has other last four digits than any of the crowd.
 */
function firstNumber({ id }: Order): number {
  const thousand = (Math.floor(Number(id) / 1_000) + 5) % 10
  return 40_000_000 + ((Number(id) % 50_000) * 10 + thousand) * 1_000
}

/** The number of an order far below the top of the list. */
export function numberInTheMiddle({ shop }: Pick<Ground, 'shop'>): string {
  return String((firstNumbers.get(shop.key) ?? 0) + crowd / 2)
}

async function handled(ground: Place, changes: Partial<NewOrder>): Promise<Order> {
  const { outside, shop, bearer } = ground
  const order = await outside.order(shop.key, changes)
  await asked(ground, `orders/${order.id}/reports/packingslip`)
  return outside.update(bearer, order, { status: 'MERCHANT_ACCEPTED' })
}

async function asked({ origin, shop, bearer }: Place, path: string): Promise<Response> {
  const reply = await fetch(`${origin}/m/v2/merchant/${shop.key}/${path}`, {
    headers: { authorization: bearer },
  })
  if (!reply.ok) throw new Error(`${path} answered ${reply.status}`)
  return reply
}

export async function countOpen(ground: Place): Promise<OpenOrders> {
  const reply = await asked(ground, 'orders/optimized?limit=1&offset=0&filter[tab]=active')
  const { counts, filters } = (await reply.json()) as OrderPage
  return { all: counts.active, late: 0, soon: 0, ...filters.available.due }
}
