import type { Offering } from '@cellarhand/contract/inventory'
import { toCents, toDollars } from '@cellarhand/contract/money'
import { plainLetters } from '@cellarhand/contract/searchable-text'
import type { Order } from '../state/queries.ts'

/** Bottles that a clerk can offer for a line. */
export interface Choice {
  readonly id: string
  readonly name: string
  readonly size: string
  readonly price: number
  readonly quantity: number
  /** Of one bottle, to the ordered one. */
  readonly difference: number
  readonly isSameClass: boolean
  readonly haystack: string
}

interface Missing {
  readonly item: Order['items'][number]
  readonly missing: number
}

/** Those of the ordered bottle's class first, the nearest price first. Only bottles of which there are enough. */
export function choicesFor(offerings: readonly Offering[], { item, missing }: Missing): Choice[] {
  const ordered = offerings.find(({ id }) => id === item.offering?.id)
  const drink = item.beverage_class ?? ordered?.beverage_class
  return offerings
    .flatMap((offering): Choice[] => {
      const { id, price, quantity, product, is_active: isActive } = offering
      const name = product?.product_line?.name
      if (!name || !isActive || quantity < missing || id === item.offering?.id) return []
      const size = product?.container_size?.formatted ?? ''
      const brand = product?.product_line?.brand?.name ?? ''
      return [
        {
          id,
          name,
          size,
          price,
          quantity,
          difference: toDollars(toCents(price) - toCents(item.price)),
          isSameClass: drink !== undefined && offering.beverage_class === drink,
          haystack: plainLetters(`${name} ${brand} ${size}`),
        },
      ]
    })
    .toSorted(
      (a, b) =>
        Number(b.isSameClass) - Number(a.isSameClass) ||
        Math.abs(a.difference) - Math.abs(b.difference) ||
        a.name.localeCompare(b.name) ||
        a.id.localeCompare(b.id),
    )
}

export function matching(choices: readonly Choice[], typed: string): Choice[] {
  const words = plainLetters(typed).split(/\s+/).filter(Boolean)
  return choices.filter(({ haystack }) => words.every((word) => haystack.includes(word)))
}
