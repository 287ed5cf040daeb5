import { displayGroupLabels, tabLabels, tabRoutes } from '@cellarhand/contract/labels'
import type { Tab } from '@cellarhand/contract/order-statuses'
import { Link } from '@tanstack/react-router'
import { cardId } from './orders-card.tsx'
import type { Shift } from './queries.ts'
import styles from './shift-page.module.css'

interface Figure {
  name: string
  value: number
  /** The list of exactly these orders. Without it the figure leads to its part of the page, which names them. */
  list?: { tab: Tab; search?: { status?: string; due?: 'late' | 'soon' } }
}

export function ShiftFigures({ shift }: { shift: Shift }) {
  const { open, on_hold: onHold, groups, late, soon, waiting_for_label: label, problems } = shift
  const active = (search: { status?: string; due?: 'late' | 'soon' } = {}) =>
    ({ tab: 'active', search }) as const
  const figures: Figure[] = [
    { name: 'Open', value: open, list: active() },
    ...groups.map(({ group, n }) => ({
      name: displayGroupLabels[group],
      value: n,
      list: active({ status: group }),
    })),
    { name: tabLabels.on_hold, value: onHold, list: { tab: 'on_hold' } },
    { name: 'Late', value: late.total, list: active({ due: 'late' }) },
    { name: 'Due soon', value: soon.total, list: active({ due: 'soon' }) },
    { name: 'Waiting for a label', value: label.total },
    { name: 'Problems', value: problems.total },
  ]
  return (
    <dl className={styles.figures}>
      {figures.map((figure) => (
        <div key={figure.name}>
          <dt>{figure.name}</dt>
          <dd>{figure.value === 0 ? 0 : <FigureLink {...figure} />}</dd>
        </div>
      ))}
    </dl>
  )
}

function FigureLink({ name, value, list }: Figure) {
  const words = value.toLocaleString('en-US')
  const label = `${words}, ${name}`
  if (list === undefined)
    return (
      <a href={`#${cardId(name)}`} aria-label={label}>
        {words}
      </a>
    )
  return (
    <Link
      to="/orders/$tab"
      params={{ tab: tabRoutes[list.tab] }}
      search={list.search ?? {}}
      aria-label={label}
    >
      {words}
    </Link>
  )
}
