import type { PickLine, PickOrder } from './queries.ts'

/** One line of one order, at its place in the walk through the shop. */
export interface Stop {
  readonly key: string
  readonly order: PickOrder
  readonly line: PickLine
  /** Each order of a wave has a tote of its own. */
  readonly tote: string
}

const { compare } = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })

export function toteOf(index: number): string {
  return String.fromCodePoint(65 + index)
}

/** Shelf by shelf; lines without a shelf come last, and of one shelf the same bottles come together. */
export function walkOf(orders: readonly PickOrder[]): Stop[] {
  return orders
    .flatMap((order, index) =>
      order.lines.map((line) => ({ key: `${order.id} ${line.id}`, order, line, tote: toteOf(index) })),
    )
    .toSorted(
      ({ line: a, tote: one }, { line: b, tote: other }) =>
        Number(a.location === null) - Number(b.location === null) ||
        compare(a.location ?? '', b.location ?? '') ||
        compare(a.name, b.name) ||
        compare(one, other),
    )
}

export function isDone({ line }: Stop): boolean {
  return line.picked >= line.quantity
}

/** The line at hand: the chosen one while something is left of it, else the first that is not done. */
export function stopAt(walk: readonly Stop[], chosen: string | undefined): Stop | undefined {
  const open = walk.filter((stop) => stop.order.is_open && !isDone(stop))
  return open.find(({ key }) => key === chosen) ?? open[0]
}

export interface Word {
  readonly text: string
  /** Whether the other name lacks it. */
  readonly isOther: boolean
}

/** The words of a name, those marked that the other name does not have at that place in its sequence. */
export function wordsApart(name: string, other: string): Word[] {
  const [words, others] = [name.split(/\s+/), other.split(/\s+/)]
  const fold = (word: string): string => word.toLowerCase().replace(/[.,;]$/, '')
  const longest = Array.from({ length: words.length + 1 }, () => Array<number>(others.length + 1).fill(0))
  const at = (one: number, two: number): number => longest[one]?.[two] ?? 0
  const isSame = (one: number, two: number): boolean => fold(words[one] ?? '') === fold(others[two] ?? '')
  for (let one = words.length - 1; one >= 0; one--)
    for (let two = others.length - 1; two >= 0; two--) {
      const row = longest[one]
      if (row)
        row[two] = isSame(one, two) ? at(one + 1, two + 1) + 1 : Math.max(at(one + 1, two), at(one, two + 1))
    }
  let two = 0
  return words.map((text, one) => {
    while (two < others.length && !isSame(one, two) && at(one, two + 1) > at(one + 1, two)) two++
    const isShared = two < others.length && isSame(one, two)
    if (isShared) two++
    return { text, isOther: !isShared }
  })
}
