import type { PickLine } from './queries.ts'

const until = 'until the next stock list that has it'

/** Whether a line's bottle is on sale, and what a press does. */
export function offSaleWords({
  name,
  offering_id: id,
  is_active: isActive,
  taken_down: taken,
}: PickLine): string {
  if (id === null) return `The stock list does not have ${name}, so it cannot be taken off sale here.`
  if (taken) return `Off sale ${until}: ${name}, taken down by ${taken.by} for #${taken.order_id}.`
  if (isActive === false) return `${name} is not on sale: the stock list says so.`
  return `If the shelf has no more of it, take ${name} off sale, so that nobody orders it ${until}. Only that list puts it back. This order stays as it is.`
}
