import { useSyncExternalStore } from 'react'
import { useShopDay } from '#lib/time/shop-day.ts'
import { buttonClass } from '#ui/blocks/button.tsx'
import { stepsOf, type Step } from '../order/next-step.ts'
import { SeeWhy } from '../order/see-why.tsx'
import { notSent, useWhyItWaits } from '../order/unconfirmed.ts'
import type { Order } from '../state/queries.ts'
import styles from './row-actions.module.css'

export interface ActionProps {
  order: Order
  hasCarrier: boolean
  onStep: (step: Step, order: Order) => void
}

const className = `${buttonClass} ${styles.verb}`

/** The next step as a verb; for a decision that never went out, the way back; for an order that a rule holds, why. */
export function NextButton({ order, hasCarrier, onStep }: ActionProps) {
  const { id } = order
  // A presale's day may begin while its row stands still.
  useShopDay()
  const [next] = stepsOf(order, hasCarrier)
  const waits = useWhyItWaits(order)
  const undo = useSyncExternalStore(notSent.listen, () => notSent.get().get(id)?.undo)
  if (undo)
    return (
      <button
        type="button"
        className={className}
        data-look="plain"
        aria-label={`Undo the decision on #${id}`}
        onClick={undo}
      >
        Undo
      </button>
    )
  if (!next) return <SeeWhy order={order} className={className} />
  return (
    <button
      type="button"
      className={className}
      data-look="plain"
      data-next={next.step}
      aria-label={[`${next.label} #${id}`, waits].filter(Boolean).join('. ')}
      aria-disabled={waits !== undefined}
      title={waits ?? next.label}
      onClick={() => waits ?? onStep(next.step, order)}
    >
      <next.icon size={17} aria-hidden />
      {next.short ?? next.label}
    </button>
  )
}
