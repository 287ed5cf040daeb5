import type { BeverageClass } from '@cellarhand/contract/duty-rules'
import type { Product } from './products.ts'

interface Facts {
  readonly beverageClass: BeverageClass
  /** Per cent by volume; undefined where the label says none. */
  readonly abv?: number
}

const ofKind: Readonly<Record<string, Facts>> = {
  red: { beverageClass: 'wine', abv: 13.5 },
  white: { beverageClass: 'wine', abv: 12.5 },
  rose: { beverageClass: 'wine', abv: 12.5 },
  sparkling: { beverageClass: 'wine', abv: 12 },
  whiskey: { beverageClass: 'spirits', abv: 45 },
  gin: { beverageClass: 'spirits', abv: 43 },
  vodka: { beverageClass: 'spirits', abv: 40 },
  rum: { beverageClass: 'spirits', abv: 40 },
  tequila: { beverageClass: 'spirits', abv: 40 },
  liqueur: { beverageClass: 'spirits', abv: 24 },
  beer: { beverageClass: 'beer', abv: 6.2 },
  can: { beverageClass: 'beer', abv: 5.4 },
  mixer: { beverageClass: 'none' },
}

const ofProduct: Readonly<Record<string, Facts>> = {
  'Overproof Rum': { beverageClass: 'spirits', abv: 63 },
  'Extra Dry Vermouth': { beverageClass: 'wine', abv: 18 },
  'Sweet Vermouth': { beverageClass: 'wine', abv: 16 },
  Tripel: { beverageClass: 'beer', abv: 9 },
  'Barrel Aged Imperial Stout': { beverageClass: 'beer', abv: 12.5 },
  'Dry Cider': { beverageClass: 'cider', abv: 6 },
  'Paloma in a Can': { beverageClass: 'spirits', abv: 7 },
  'Espresso Martini in a Can': { beverageClass: 'spirits', abv: 12 },
  'Hard Seltzer, Mixed Case': { beverageClass: 'other', abv: 5 },
}

/** What the rules ask of a bottle; undefined for a kind that nobody has classed. */
export function factsOf({ name, kind }: Product): Facts | undefined {
  return ofProduct[name] ?? ofKind[kind]
}
