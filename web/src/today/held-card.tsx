import { methodLabel, tabLabels, tabRoutes } from '@cellarhand/contract/labels'
import { Link } from '@tanstack/react-router'
import { untilWords } from '#lib/time/until-words.ts'
import { OrdersCard } from './orders-card.tsx'
import type { Shift } from './queries.ts'
import styles from './shift-page.module.css'

/** Orders on hold have no due time and no group: instead of them the part tells when they came and what holds them. */
export function HeldCard({ shift }: { shift: Shift }) {
  return (
    <OrdersCard
      title={tabLabels.on_hold}
      part={shift.held}
      none="No order is on hold."
      shift={shift}
      statusOf={({ method }) => `${tabLabels.on_hold}, ${methodLabel(method, null)}`}
      when={{ head: 'Received', of: (order) => order.received_at, className: styles.received }}
      why={{
        head: 'Comment',
        of: ({ reason, answer_until: until }) => (
          <>
            {reason}
            {until !== null && <p>Customer answers by {untilWords(until, shift.timezone)}</p>}
          </>
        ),
      }}
    >
      <Link to="/orders/$tab" params={{ tab: tabRoutes.on_hold }} search={{ sort: 'asc' }}>
        In the list
      </Link>
    </OrdersCard>
  )
}
