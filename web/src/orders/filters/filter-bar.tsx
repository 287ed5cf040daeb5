import { displayGroupLabels, methodFilterLabel } from '@cellarhand/contract/labels'
import { displayGroups } from '@cellarhand/contract/order-statuses'
import { getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { lazyPart, paintedPart } from '#lib/parts/lazy-part.ts'
import { useAhead } from '#lib/parts/fetch-ahead.ts'
import { DropPanel } from '#ui/dialogs/drop-panel.tsx'
import styles from './filter-bar.module.css'
import type { ListSearch, ListView, SearchChange } from '../state/list-view.ts'
import { isFiltered } from '../state/list-view.ts'
import type { Facets } from '../state/queries.ts'

const ChoicePanel = lazyPart(() => import('./filter-panels.tsx'), 'ChoicePanel')
const StatusPanel = lazyPart(() => import('./filter-panels.tsx'), 'StatusPanel')
const ClassChoice = paintedPart(() => import('./class-choice.tsx'), 'ClassChoice')
const route = getRouteApi('/signed-in/orders/$tab')
const number = new Intl.NumberFormat('en-US')

interface Props {
  view: ListView
  /** From the list's own answer; undefined before the first one. */
  facets: Facets | undefined
  total: number | undefined
  /** A phone shows the filters only when asked to. */
  isOpen: boolean
  children: ReactNode
}

/** Brand, status and method, each with the orders it would leave; the address holds the choices. */
export function FilterBar({ view, facets, total, isOpen, children }: Props) {
  const navigate = route.useNavigate()
  useAhead(StatusPanel.preload)
  const choose = (change: SearchChange): void =>
    void navigate({ search: (now) => withoutEmpty({ ...now, ...change }) })
  const brands = facets?.application_ref.options ?? []
  const brandName = brands.find(({ uuid }) => uuid === view.brand)?.name ?? view.brand
  return (
    <div
      className={styles.bar}
      data-open={isOpen || undefined}
      data-filters={view.tab}
      role="group"
      aria-label="Filters"
    >
      <DropPanel
        label="Brand"
        chosen={brandName}
        onClear={() => choose({ brand: undefined })}
        onIntent={StatusPanel.preload}
      >
        <ChoicePanel view={view} by="brand" facets={facets} onChoose={(brand) => choose({ brand })} />
      </DropPanel>
      {/* An order on hold has no group of its own. */}
      {(view.tab !== 'on_hold' || view.status !== undefined) && (
        <DropPanel
          label="Status"
          chosen={statusWords(view.status)}
          onClear={() => choose({ status: undefined })}
          onIntent={StatusPanel.preload}
        >
          <StatusPanel view={view} facets={facets} onChoose={(status) => choose({ status })} />
        </DropPanel>
      )}
      <DropPanel
        label="Method"
        chosen={view.method && methodFilterLabel(view.method)}
        onClear={() => choose({ method: undefined })}
        onIntent={StatusPanel.preload}
      >
        <ChoicePanel view={view} by="method" facets={facets} onChoose={(method) => choose({ method })} />
      </DropPanel>
      <ClassChoice view={view} facets={facets} onChoose={choose} />
      {isFiltered(view) && <ClearAll />}
      <span className={styles.count} role="status">
        {isFiltered(view) &&
          total !== undefined &&
          (total === 1 ? '1 order' : `${number.format(total)} orders`)}
      </span>
      {children}
    </div>
  )
}

export function ClearAll() {
  const navigate = route.useNavigate()
  return (
    <button
      type="button"
      className={styles.all}
      onClick={() => void navigate({ search: ({ sort }) => (sort ? { sort } : {}) })}
    >
      Clear all
    </button>
  )
}

function statusWords(status: string | undefined): string | undefined {
  if (status === undefined) return undefined
  const chosen = new Set(status.split(','))
  return displayGroups
    .filter((group) => chosen.has(group))
    .map((group) => displayGroupLabels[group])
    .join(', ')
}

function withoutEmpty(search: SearchChange): ListSearch {
  return Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined))
}
