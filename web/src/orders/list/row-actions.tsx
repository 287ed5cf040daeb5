import IconEye from '@tabler/icons-react/dist/esm/icons/IconEye.mjs'
import IconFileSpreadsheet from '@tabler/icons-react/dist/esm/icons/IconFileSpreadsheet.mjs'
import IconPrinter from '@tabler/icons-react/dist/esm/icons/IconPrinter.mjs'
import { use } from 'react'
import { DeskTools } from '../select/desk-tools.ts'
import { downloadDetails } from '../order/download-details.ts'
import type { Step } from '../order/next-step.ts'
import { useSteps } from '../order/next-step.ts'
import type { Order } from '../state/queries.ts'
import styles from './row-actions.module.css'
import { useWhyItWaits } from '../order/unconfirmed.ts'
import { SeeWhy } from '../order/see-why.tsx'
import { usePrint } from './use-print.ts'

interface Props {
  order: Order
  onStep: (step: Step, order: Order) => void
}

export function RowActions({ order, onStep }: Props) {
  const [next] = useSteps(order)
  const waits = useWhyItWaits(order)
  const { printSlip } = use(DeskTools)
  const { isPrinting, print } = usePrint(order)
  return (
    <span className={styles.actions}>
      {next ? (
        <button
          type="button"
          className={styles.action}
          data-next
          aria-label={[`${next.label} #${order.id}`, waits].filter(Boolean).join('. ')}
          aria-disabled={waits !== undefined}
          title={waits ?? next.label}
          onClick={() => waits ?? onStep(next.step, order)}
        >
          <next.icon size={18} aria-hidden />
        </button>
      ) : (
        <SeeWhy order={order} className={styles.why} />
      )}
      <button
        type="button"
        className={styles.action}
        aria-label={`Review #${order.id}`}
        title="Review Order"
        onClick={() => onStep('review', order)}
      >
        <IconEye size={18} aria-hidden />
      </button>
      {printSlip && (
        <button
          type="button"
          className={styles.action}
          aria-label={`Print packing slip of #${order.id}`}
          title="Print packing slip"
          aria-busy={isPrinting}
          aria-disabled={isPrinting}
          onClick={print}
        >
          <IconPrinter size={18} aria-hidden />
        </button>
      )}
      <button
        type="button"
        className={styles.action}
        aria-label={`Download CSV of #${order.id}`}
        title="Download CSV"
        onClick={() => void downloadDetails([order])}
      >
        <IconFileSpreadsheet size={18} aria-hidden />
      </button>
    </span>
  )
}
