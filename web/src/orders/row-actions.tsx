import type { Step } from './next-step.ts'
import { nextStepOf } from './next-step.ts'
import type { Order } from './queries.ts'
import styles from './row-actions.module.css'

export function RowActions({ order, onStep }: { order: Order; onStep: (step: Step, order: Order) => void }) {
  const next = nextStepOf(order)
  if (!next) return null
  return (
    <button
      type="button"
      className={styles.action}
      aria-label={`${next.label} #${order.id}`}
      title={next.label}
      onClick={() => onStep(next.step, order)}
    >
      <next.icon size={18} aria-hidden />
    </button>
  )
}
