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

/** Cycles none, descending, ascending (LIST-020). */
export function SortHeader({ label, sort }: { label: string; sort: Sort }) {
  const navigate = route.useNavigate()
  const { aria, icon: Arrow } = looks[sort ?? 'none']
  return (
    <th scope="col" aria-sort={aria}>
      <button
        type="button"
        className={styles.sort}
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
    </th>
  )
}
