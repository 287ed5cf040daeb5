const formatter = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })

/** From dollars on the wire (at most two decimals) to whole cents. */
export function toCents(dollars: number): number {
  return Math.round(dollars * 100)
}

export function toDollars(cents: number): number {
  return cents / 100
}

/** 1042 as "$1,042.00". */
export function formatDollars(dollars: number): string {
  return formatter.format(dollars)
}

/** Whether a wire amount is a number of whole cents. */
export function isWholeCents(dollars: number): boolean {
  return Number.isFinite(dollars) && Math.abs(dollars * 100 - Math.round(dollars * 100)) < 1e-6
}
