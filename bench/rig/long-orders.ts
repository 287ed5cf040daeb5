import { anItem, anOrder } from '../../server/test/orders.ts'
import { marketplace, send, type Shop } from './fair-attacks.ts'

async function sendOrder(origin: string, key: string, items: ReturnType<typeof anItem>[]): Promise<string> {
  const body = JSON.stringify(anOrder(key, { items }))
  const reply = await send(origin, '/marketplace/v1/orders', { method: 'POST', headers: marketplace, body })
  if (reply.status !== 201) throw new Error(`A long order was refused: ${JSON.stringify(reply.body)}`)
  return String(reply.body['id'])
}

/** The longest that the server takes in. */
export async function sendMonster(origin: string, key: string): Promise<string> {
  const words = (length: number) => 'twenty-letter-words '.repeat(length / 20).trim()
  const items = Array.from({ length: 200 }, (_, index) =>
    anItem({ id: `line-${index}`, name: words(280), description: words(160) }),
  )
  return sendOrder(origin, key, items)
}

const boxes = 24

/** Buys an order's labels as pictures, which take the longest to merge. Answers the path of the file of all boxes. */
export async function buyManyBoxes(origin: string, { key, headers }: Shop): Promise<string> {
  const ask = async (method: 'POST' | 'PUT', path: string, body: object) => {
    const reply = await send(origin, path, { method, headers, body: JSON.stringify(body) })
    if (reply.status !== 200) throw new Error(`${method} ${path}: ${JSON.stringify(reply.body)}`)
    return reply.body
  }
  await ask('PUT', `/c/v2/merchants/${key}/carrier_integration`, {
    carrier: 'UPS',
    account_number: 'A1B2C3',
    account_zip: '10004',
    label_size: '4x6',
    label_format: 'PNG',
  })
  const id = await sendOrder(origin, key, [anItem({ quantity: boxes, subtotal: 52 * boxes })])
  await ask('PUT', `/m/v2/orders/${id}`, { status: 'MERCHANT_ACCEPTED' })
  const bought = await ask('POST', `/m/v2/merchant/${key}/orders/${id}/shipping_labels`, {
    order_id: id,
    boxes: Array.from({ length: boxes }, () => ({ weight: 3 })),
  })
  const [first] = bought['data'] as unknown as readonly { readonly print_url: string }[]
  if (first === undefined) throw new Error('No label was bought.')
  const { pathname, search } = new URL(first.print_url)
  return `${pathname}${search}`
}
