/** The one grouping of an order's lines, for every screen, paper and rule. */

interface Line {
  readonly id: string
  readonly parent_line_item_id?: string | null
}

/** A line that stands for itself, with the lines that belong to it. */
export interface OwnLine<T> {
  readonly item: T
  readonly engravings: readonly T[]
}

/**
 * Own lines in the order's order. A line with a parent belongs to that parent, whatever its name. A line whose parent
 * is not an own line of the order stands for itself, so that each line is in exactly one place.
 */
export function ownLines<T extends Line>({ items }: { readonly items: readonly T[] }): OwnLine<T>[] {
  const byParent = new Map<string, T[]>(
    items.filter((item) => !item.parent_line_item_id).map((item) => [item.id, []]),
  )
  const own: T[] = []
  for (const item of items) {
    const siblings = item.parent_line_item_id ? byParent.get(item.parent_line_item_id) : undefined
    if (siblings) siblings.push(item)
    else own.push(item)
  }
  return own.map((item) => ({
    item,
    engravings: item.parent_line_item_id ? [] : (byParent.get(item.id) ?? []),
  }))
}
