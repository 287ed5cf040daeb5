import { messages } from '@cellarhand/contract/messages'
import IconDownload from '@tabler/icons-react/dist/esm/icons/IconDownload.mjs'
import IconRefresh from '@tabler/icons-react/dist/esm/icons/IconRefresh.mjs'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useDeferredValue, useEffect, useMemo, useState } from 'react'
import { track } from '#lib/reports/analytics.ts'
import { config } from '#lib/calls/config.ts'
import { saveFile } from '#lib/output/save-file.ts'
import { storedMerchantKey } from '#lib/kept/stored-session.ts'
import { hashedUser } from '#lib/reports/hashed-user.ts'
import { useMedia } from '#lib/parts/use-media.ts'
import { Button } from '#ui/blocks/button.tsx'
import { EmptyNote, FailedNote } from '#ui/notes/notes.tsx'
import { Select } from '#ui/forms/select.tsx'
import { Spinner } from '#ui/blocks/spinner.tsx'
import type { InventorySearch, SortField } from './inventory-search.ts'
import { sortLabels } from './inventory-search.ts'
import { formatLocal } from './last-update.ts'
import { OfferingCards } from './offering-cards.tsx'
import { arrange, standardFilter } from './offering-rows.ts'
import { OfferingsTable } from './offerings-table.tsx'
import { offeringsCsv } from './offerings-csv.ts'
import type { Stock } from './queries.ts'
import { stockQuery } from './queries.ts'
import styles from './inventory-page.module.css'

const route = getRouteApi('/inventory')

/** With less room the table would cut prices, or scroll sideways. */
const STOCK_CARDS = '(max-width: 960px)'
const none: Stock['rows'] = []
const filterOptions = [
  { value: '', label: 'Select an option' },
  { value: 'selling', label: `Selling with ${config.productName}` },
  { value: 'all', label: 'All Inventory Items' },
]
const sortOptions = Object.entries(sortLabels).map(([value, label]) => ({ value, label }))

export function InventoryPage() {
  useEffect(() => void noteView(), [])
  const queryClient = useQueryClient()
  const navigate = route.useNavigate()
  const { filter, sort = standardFilter.filterStatus } = route.useSearch()
  const options = stockQuery(storedMerchantKey() ?? 'none', filter === 'selling')
  const stock = useQuery(options)
  const [find, setFind] = useState('')
  const clientFilter = useDeferredValue(find)
  const isCards = useMedia(STOCK_CARDS)
  const rows = stock.data?.rows ?? none
  const shown = useMemo(
    () => arrange(rows, { ...standardFilter, filterStatus: sort, clientFilter }),
    [rows, sort, clientFilter],
  )
  const show = (change: InventorySearch): void => {
    void navigate({ search: (before) => ({ ...before, ...change }), replace: true })
  }
  return (
    <main className={styles.page}>
      <div className={styles.head}>
        <h1>Inventory</h1>
        <p className={styles.updated} role="status">
          {stock.data && `Last Update: ${formatLocal(stock.data.receivedAtMs)} (Local time)`}
        </p>
        <div className={styles.tools}>
          <Button
            look="plain"
            isBusy={stock.isFetching}
            onClick={() => void queryClient.resetQueries({ queryKey: options.queryKey })}
          >
            <IconRefresh size={16} aria-hidden />
            Refresh
          </Button>
          <Button
            look="plain"
            disabled={shown.length === 0}
            onClick={() => {
              track('Download Inventory')
              saveFile('inventory.csv', 'text/csv', offeringsCsv(shown))
            }}
          >
            <IconDownload size={16} aria-hidden />
            Download CSV
          </Button>
        </div>
      </div>
      <search className={styles.filters}>
        <Select
          label="Filter By"
          value={filter ?? ''}
          options={filterOptions}
          onChange={(value) => show({ filter: value === '' ? undefined : (value as 'selling' | 'all') })}
        />
        <Select
          label="Sort By"
          value={sort}
          options={sortOptions}
          onChange={(value) => show({ sort: value as SortField })}
        />
        <label className={styles.find}>
          Find
          <input
            type="search"
            value={find}
            placeholder="Product, brand, TPK or item code"
            maxLength={100}
            onChange={({ currentTarget }) => setFind(currentTarget.value)}
          />
        </label>
        {stock.data && <p className={styles.count}>{countOf(shown.length, rows.length)}</p>}
      </search>
      {stock.isPending && (
        <div className={styles.pending}>
          <Spinner label="Loading the inventory" />
        </div>
      )}
      {stock.isError && (
        <FailedNote
          text="The inventory could not be loaded."
          onRetry={() => void queryClient.resetQueries({ queryKey: options.queryKey })}
        />
      )}
      {stock.data && shown.length === 0 && <EmptyNote text={messages.noOrdersForCriteria} />}
      {shown.length > 0 && (isCards ? <OfferingCards rows={shown} /> : <OfferingsTable rows={shown} />)}
    </main>
  )
}

function countOf(shown: number, all: number): string {
  const items = all === 1 ? '1 item' : `${all.toLocaleString('en-US')} items`
  return shown === all ? items : `${shown.toLocaleString('en-US')} of ${items}`
}

/** With the hashed user (TELE-003). */
async function noteView(): Promise<void> {
  const user_id = await hashedUser()
  track('Inventory Page View', user_id === undefined ? {} : { user_id })
}
