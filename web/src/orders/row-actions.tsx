import IconChevronRight from '@tabler/icons-react/dist/esm/icons/IconChevronRight.mjs'
import { Link } from '@tanstack/react-router'
import type { Step } from './next-step.ts'
import { nextStepOf } from './next-step.ts'
import type { Order } from './queries.ts'
import styles from './row-actions.module.css'

export function RowActions({ order, onStep }: { order: Order; onStep: (step: Step, order: Order) => void }) {
  const next = nextStepOf(order)
  return (
    <span className={styles.actions}>
      {next && (
        <button
          type="button"
          className={styles.action}
          aria-label={`${next.label} #${order.id}`}
          title={next.label}
          onClick={() => onStep(next.step, order)}
        >
          <next.icon size={18} aria-hidden />
        </button>
      )}
      <Link
        className={styles.open}
        to="/orders/view/$id"
        params={{ id: order.id }}
        aria-label={`Open #${order.id}`}
        title="Open"
      >
        <IconChevronRight size={18} aria-hidden />
      </Link>
    </span>
  )
}
