import IconArrowDown from '@tabler/icons-react/dist/esm/icons/IconArrowDown.mjs'
import IconArrowUp from '@tabler/icons-react/dist/esm/icons/IconArrowUp.mjs'
import IconArrowsSort from '@tabler/icons-react/dist/esm/icons/IconArrowsSort.mjs'
import { getRouteApi } from '@tanstack/react-router'
import styles from './orders-table.module.css'

type Sort = 'asc' | 'desc' | undefined

const route = getRouteApi('/signed-in/orders/$tab')
const looks = {
  none: { aria: 'none', icon: IconArrowsSort },
  desc: { aria: 'descending', icon: IconArrowDown },
  asc: { aria: 'ascending', icon: IconArrowUp },
} as const

interface Props {
  label: string
  sort: Sort
}

export function SortHeader({ label, sort }: Props) {
  return (
    <th scope="col" aria-sort={looks[sort ?? 'none'].aria}>
      <SortButton label={label} sort={sort} />
    </th>
  )
}

/** Cycles none, descending, ascending (LIST-020). */
function SortButton({ label, sort, name }: Props & { name?: string }) {
  const navigate = route.useNavigate()
  const Arrow = looks[sort ?? 'none'].icon
  return (
    <button
      type="button"
      className={styles.sort}
      aria-label={name}
      onClick={() => {
        const next = sort === undefined ? 'desc' : sort === 'desc' ? 'asc' : undefined
        void navigate({
          search: ({ sort: _sort, ...filters }) => ({ ...filters, ...(next && { sort: next }) }),
          replace: true,
        })
      }}
    >
      {label}
      <Arrow size={14} aria-hidden />
    </button>
  )
}

/** For lists without a table, where no column can show the sort. */
export function SortChoice({ label, sort }: Props) {
  const words = sort === undefined ? 'not sorted by it' : looks[sort].aria
  return <SortButton label={label} sort={sort} name={`${label}, ${words}`} />
}
