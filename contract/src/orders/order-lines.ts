/** Every screen, paper and rule groups an order's lines here and nowhere else. */

interface Line {
  readonly id: string
  readonly parent_line_item_id?: string | null
}

/** A line with no parent, with the lines that belong to it. */
export interface OwnLine<T> {
  readonly item: T
  readonly engravings: readonly T[]
}

/**
 * Own lines, in the order's own sequence. A line with a parent belongs to that parent, regardless of its name. A line
 * whose parent is not an own line of the order is an own line itself, so that each line appears exactly once.
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
