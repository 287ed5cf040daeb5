import IconPrinter from '@tabler/icons-react/dist/esm/icons/IconPrinter.mjs'
import IconReceipt from '@tabler/icons-react/dist/esm/icons/IconReceipt.mjs'
import type { ReportType } from '@cellarhand/contract/report-files'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useShortcuts } from '#lib/keys/shortcuts.ts'
import { changesAnswered, useWhyItWaits } from '#orders/public.ts'
import type { OrderPartProps } from '#orders/public.ts'
import { Button } from '#ui/blocks/button.tsx'
import { printReport } from './print-report.ts'

/** The order view's buttons for its papers. A receipt exists once the order is accepted (VIEW-031). */
export function DocumentsPart({ order }: OrderPartProps) {
  const [busy, setBusy] = useState<ReportType | null>(null)
  const queryClient = useQueryClient()
  const isPrinting = useRef(false)
  const print = (type: ReportType): void => {
    if (isPrinting.current) return
    isPrinting.current = true
    setBusy(type)
    void changesAnswered(queryClient, order.id)
      .then(() => printReport(order, type))
      .finally(() => {
        isPrinting.current = false
        setBusy(null)
      })
  }
  useShortcuts({ p: () => print('packingslip') })
  const waits = useWhyItWaits(order)
  const whyNoReceipt =
    order.status === 'SUBMITTED' ? 'The receipt is available once the order is accepted.' : waits
  return (
    <>
      <Button look="plain" isBusy={busy === 'packingslip'} onClick={() => print('packingslip')}>
        <IconPrinter size={18} aria-hidden /> Print Packing Slip
      </Button>
      <Button
        look="plain"
        isBusy={busy === 'receipt'}
        disabled={whyNoReceipt !== undefined}
        title={whyNoReceipt}
        onClick={() => print('receipt')}
      >
        <IconReceipt size={18} aria-hidden /> Print Receipt
      </Button>
    </>
  )
}
