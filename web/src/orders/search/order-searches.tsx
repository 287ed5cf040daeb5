import { memo } from 'react'
import { useShortcuts } from '#lib/keys/shortcuts.ts'
import { OrderSearch } from './order-search.tsx'
import type { SearchFilter } from '../state/queries.ts'
import styles from './order-search.module.css'

/** The order number is sent without its leading sign (SEARCH-014, GAP-55); a letter may begin a tracking number. */
function numberFilter(text: string): SearchFilter {
  return { by: 'search', text: /^[\da-z]/i.test(text) ? text : text.slice(1).trim() }
}

/** A text with an @ is an e-mail; a name is sent without any # (GAP-87, GAP-55). */
function customerFilter(text: string): SearchFilter {
  return text.includes('@')
    ? { by: 'customer_email', text }
    : { by: 'recipient_name', text: text.replaceAll('#', '').trim() }
}

/** A number typed or scanned on the page is an order's, so it begins the search by itself. */
function typeNumber({ key }: KeyboardEvent): void {
  document.getElementById('search-number')?.focus()
  document.execCommand('insertText', false, key)
}

const digits = Object.fromEntries(Array.from('0123456789', (digit) => [digit, typeNumber]))

export const OrderSearches = memo(function OrderSearches() {
  useShortcuts({
    ...digits,
    '/': () => document.getElementById('search-number')?.focus(),
    n: () => document.getElementById('search-customer')?.focus(),
  })
  return (
    <search className={styles.searches}>
      <OrderSearch id="search-number" label="Order #" shortcut="/" filterOf={numberFilter} />
      <OrderSearch
        id="search-customer"
        label="Customer Name"
        placeholder="Customer name or e-mail"
        shortcut="n"
        filterOf={customerFilter}
      />
    </search>
  )
})
