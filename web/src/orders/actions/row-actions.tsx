import IconPrinter from '@tabler/icons-react/dist/esm/icons/IconPrinter.mjs'
import { use } from 'react'
import { DeskTools } from '../select/desk-tools.ts'
import { MoreButton } from './more-button.tsx'
import { NextButton, type ActionProps } from './next-button.tsx'
import styles from './row-actions.module.css'
import { usePrint } from './use-print.ts'

export function RowActions(props: ActionProps) {
  const { order } = props
  const { printSlip } = use(DeskTools)
  const { isPrinting, print } = usePrint(order)
  return (
    <span className={styles.actions}>
      <NextButton {...props} />
      {printSlip && (
        <button
          type="button"
          className={styles.action}
          data-print
          aria-label={`Print packing slip of #${order.id}`}
          title="Print packing slip"
          aria-busy={isPrinting}
          aria-disabled={isPrinting}
          onClick={print}
        >
          <IconPrinter size={18} aria-hidden />
        </button>
      )}
      <MoreButton {...props} />
    </span>
  )
}
