import type { Order } from './queries.ts'

export interface Engraving {
  lines: string[]
  quantity: number
  price: number
  fee: number
}

/** Engravings with the same text are one group, with its quantity and unit price times quantity (VIEW-021, VIEW-022). */
export function engravingsOf(items: readonly Order['items'][number][]): Engraving[] {
  const groups = new Map<string, Engraving>()
  for (const item of items) {
    const messages = item.aux_data?.engraving_message ?? []
    const quantities = messages.length > 1 ? messages.map(() => 1) : [item.quantity]
    for (const [index, quantity] of quantities.entries()) {
      const text = (messages[index] ?? '').trim()
      const known = groups.get(text)
      const total = (known?.quantity ?? 0) + quantity
      groups.set(text, {
        lines: text === '' ? [] : text.split(/\r\n|\r|\n/),
        quantity: total,
        price: item.price,
        fee: Math.round(item.price * total * 100) / 100,
      })
    }
  }
  return [...groups.values()]
}
