import type { SortProps } from './sort-header.tsx'
import { lookOf, looks, SortButton } from './sort-header.tsx'

/** For lists without a table, where no column can show the sort. */
export function SortChoice(props: Omit<SortProps, 'by'>) {
  if (props.sort === 'due')
    return <SortButton {...props} by="date" label="Due first" name={`Due first, sort by ${props.label}`} />
  const look = lookOf({ ...props, by: 'date' })
  const words = look === 'none' ? 'not sorted by it' : looks[look].aria
  return <SortButton {...props} by="date" name={`${props.label}, ${words}`} />
}
