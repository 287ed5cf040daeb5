import { tabLabels, tabRoutes } from '@cellarhand/contract/labels'
import { tabs } from '@cellarhand/contract/order-statuses'
import { useQuery } from '@tanstack/react-query'
import { Link, useLocation, useMatch } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { merchantKey } from '#sign-in/public.ts'
import { standingQuery } from '../state/queries.ts'
import { openTab } from '../state/shown.ts'
import styles from './tab-list.module.css'

const number = new Intl.NumberFormat('en-US')

export function TabList() {
  // On a tab, the list's own answer includes the counts.
  const isTab = useMatch({ from: '/signed-in/orders/$tab', shouldThrow: false }) !== undefined
  const { data } = useQuery({ ...standingQuery(merchantKey()), enabled: !isTab })
  const open = openTab.use()
  const list = useRef<HTMLElement>(null)
  const pathname = useLocation({ select: (location) => location.pathname })
  // On a narrow screen the row of tabs scrolls, and the current tab must stay in sight.
  useEffect(() => {
    const current = list.current?.querySelector<HTMLElement>('[aria-current]')
    if (!list.current || !current) return
    const { clientWidth } = list.current
    list.current.scrollLeft = current.offsetLeft - (clientWidth - current.offsetWidth) / 2
  }, [pathname, open])
  return (
    <nav ref={list} className={styles.tabs} aria-label="Order tabs">
      {tabs.map((tab) => (
        <Link
          key={tab}
          to="/orders/$tab"
          params={{ tab: tabRoutes[tab] }}
          activeOptions={{ includeSearch: false }}
          aria-current={open === tab || undefined}
        >
          {tabLabels[tab]} <b>{data ? number.format(data.counts[tab]) : '\u2007'}</b>
        </Link>
      ))}
    </nav>
  )
}
