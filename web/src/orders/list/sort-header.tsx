import IconArrowDown from '@tabler/icons-react/dist/esm/icons/IconArrowDown.mjs'
import IconArrowUp from '@tabler/icons-react/dist/esm/icons/IconArrowUp.mjs'
import IconArrowsSort from '@tabler/icons-react/dist/esm/icons/IconArrowsSort.mjs'
import { getRouteApi } from '@tanstack/react-router'
import type { ListView } from '../state/list-view.ts'
import styles from './orders-table.module.css'

const route = getRouteApi('/signed-in/orders/$tab')
export const looks = {
  none: { aria: 'none', icon: IconArrowsSort, next: 'desc' },
  desc: { aria: 'descending', icon: IconArrowDown, next: 'asc' },
  asc: { aria: 'ascending', icon: IconArrowUp, next: undefined },
} as const

export interface SortProps {
  label: string
  by: 'date' | 'due'
  /** Of the list. */
  sort: ListView['sort']
}

export function SortHeader(props: SortProps) {
  return (
    <th scope="col" aria-sort={looks[lookOf(props)].aria}>
      <SortButton {...props} />
    </th>
  )
}

export function lookOf({ by, sort }: SortProps): keyof typeof looks {
  if (by === 'due') return sort === 'due' ? 'asc' : 'none'
  return sort === 'asc' || sort === 'desc' ? sort : 'none'
}

/** The date cycles none, descending, ascending (LIST-020); where there are due times, none is due first. */
export function SortButton({ name, ...props }: SortProps & { name?: string }) {
  const navigate = route.useNavigate()
  const { icon: Arrow, next } = looks[lookOf(props)]
  return (
    <button
      type="button"
      className={styles.sort}
      aria-label={name}
      onClick={() => {
        const sort = props.by === 'date' ? next : undefined
        void navigate({
          search: ({ sort: _sort, ...filters }) => ({ ...filters, ...(sort && { sort }) }),
          replace: true,
        })
      }}
    >
      {props.label}
      <Arrow size={14} aria-hidden />
    </button>
  )
}
