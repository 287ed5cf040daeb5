import { readContainerSize } from '@cellarhand/contract/container-size'
import { factsOf } from './bottle-facts.ts'
import { products, type Product } from './products.ts'
import { createRandom } from './random.ts'

/** One line of a merchant's stock list, as a till exports it. */
export interface StockLine {
  readonly offeringId: string
  readonly productId: string
  readonly product: Product
  readonly size: string
  readonly sku: string
  readonly priceCents: number
  readonly quantity: number
  readonly isActive: boolean
  readonly stockBehavior: string | null
  /** The number in the barcode and the shelf; a till has them of most bottles. */
  readonly gtin: string
  readonly location: string
}

interface Shop {
  readonly prefix: string
  readonly seed: number
  /** The shop carries every nth product. */
  readonly every: number
  readonly priceFactor: number
}

const shops: Readonly<Record<string, Shop>> = {
  demo: { prefix: 'HW', seed: 11, every: 1, priceFactor: 1 },
  other: { prefix: 'MB', seed: 12, every: 3, priceFactor: 1.08 },
}
const anyShop: Shop = { prefix: 'ST', seed: 13, every: 2, priceFactor: 1 }

/** A merchant's stock: the same list for the import and for the orders that name it. */
export function stockOf(merchantKey: string): StockLine[] {
  const { prefix, seed, every, priceFactor } = shops[merchantKey] ?? anyShop
  const random = createRandom(seed)
  let number = 1000
  return products.flatMap((product, index) =>
    Object.entries(product.sizes).flatMap(([size, dollars]): StockLine[] => {
      number++
      if (index % every !== 0) return []
      const isNextDay = random.chance(0.09)
      return [
        {
          offeringId: `${prefix}-${number}`,
          productId: `tp-${String(number).slice(1)}`,
          product,
          size,
          sku: `${product.kind.slice(0, 2).toUpperCase()}${String(number)}`,
          priceCents: Math.round(dollars * priceFactor) * 100 - 1,
          quantity: isNextDay ? 0 : random.pick([0, 3, 6, 11, 12, 18, 24, 36, 48, 60, 96]),
          isActive: !random.chance(0.06),
          stockBehavior: isNextDay ? 'NextDay' : null,
          gtin: number % 17 === 0 ? '' : upcOf(number),
          location: shelfOf(product, number),
        },
      ]
    }),
  )
}

/** Numbers of a range that GS1 gives to shops for their own use, so that none is a real product's. */
function upcOf(number: number): string {
  const digits = `2${String(number).padStart(5, '0')}${String((number * 7919) % 100_000).padStart(5, '0')}`
  const sum = [...digits].reduce((total, digit, at) => total + Number(digit) * (at % 2 === 0 ? 3 : 1), 0)
  return `${digits}${(10 - (sum % 10)) % 10}`
}

function shelfOf({ kind }: Product, number: number): string {
  if (number % 23 === 0) return ''
  const aisle = 'ABCDE'[kind.length % 5] ?? 'A'
  return number % 9 === 0
    ? `Cooler ${1 + (number % 3)}`
    : `${aisle}-${String(1 + (number % 14)).padStart(2, '0')}`
}

const quoted = (text: string) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

/** The stock list as a file for `npm run admin -- import-inventory`, with the usual gaps of such files. */
export function stockFile(merchantKey: string): string {
  const lines = stockOf(merchantKey).map((line) => [
    line.offeringId,
    (line.priceCents / 100).toFixed(2),
    String(line.quantity),
    line.productId,
    line.product.name,
    line.product.brand,
    line.size,
    line.sku,
    line.isActive ? 'yes' : 'no',
    line.isActive && line.priceCents > 500 ? 'yes' : 'no',
    line.stockBehavior ?? '',
    ...factCells(line),
    line.gtin,
    line.location,
  ])
  const incomplete = [
    ['X-9001', '12.00', '4', 'tp-9001', '', '', '750 mL', 'NO-LINE', 'yes', 'yes', '', '', '', '', '', ''],
    [
      'X-9002',
      '18.50',
      '2',
      'tp-9002',
      'Mystery Magnum',
      'Wickery',
      '',
      'NO-SIZE',
      'yes',
      'yes',
      '',
      '',
      '',
      '',
      '',
      '',
    ],
  ]
  const header = [
    'offering_id',
    'price',
    'quantity',
    'product_id',
    'product_name',
    'brand',
    'container_size',
    'merchant_sku',
    'is_active',
    'is_selling',
    'stock_behavior',
    'beverage_class',
    'abv',
    'volume_ml',
    'upc',
    'shelf',
  ]
  return [header, ...lines, ...incomplete].map((cells) => cells.map(quoted).join(',')).join('\n')
}

function factCells({ product, size }: StockLine): string[] {
  const facts = factsOf(product)
  const volume = readContainerSize(size)?.millilitres
  return [facts?.beverageClass, facts?.abv, volume && Math.round(volume)].map((fact) => String(fact ?? ''))
}
