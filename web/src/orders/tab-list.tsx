import { tabLabels, tabRoutes } from '@cellarhand/contract/labels'
import { tabs } from '@cellarhand/contract/order-lifecycle'
import { useQuery } from '@tanstack/react-query'
import { Link, useMatch } from '@tanstack/react-router'
import { merchantKey } from '#sign-in/public.ts'
import { countsQuery } from './queries.ts'
import styles from './tab-list.module.css'

const number = new Intl.NumberFormat('en-US')

export function TabList() {
  // On a tab the list's own answer brings the counts along.
  const isTab = useMatch({ from: '/signed-in/orders/$tab', shouldThrow: false }) !== undefined
  const { data: counts } = useQuery({ ...countsQuery(merchantKey()), enabled: !isTab })
  return (
    <nav className={styles.tabs} aria-label="Order tabs">
      {tabs.map((tab) => (
        <Link
          key={tab}
          to="/orders/$tab"
          params={{ tab: tabRoutes[tab] }}
          activeOptions={{ includeSearch: false }}
        >
          {tabLabels[tab]} <b>{counts ? number.format(counts[tab]) : '\u2007'}</b>
        </Link>
      ))}
    </nav>
  )
}
