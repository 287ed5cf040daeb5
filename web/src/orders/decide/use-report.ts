import { messages } from '@cellarhand/contract/messages'
import { readRejection } from '@cellarhand/contract/rejection-message'
import { useQueryClient } from '@tanstack/react-query'
import { CallError } from '#lib/calls/call.ts'
import { merchantKey } from '#sign-in/public.ts'
import type { PendingReport } from './pending-reports.ts'
import { dropReport, pendingReportsOf } from './pending-reports.ts'
import type { Order } from '../state/queries.ts'
import { asSeen } from '../state/seen-version.ts'
import { useOrderCommand } from './use-order-command.ts'

interface ReportBody {
  id: string
  status: 'REJECTED_PARTIAL'
  version?: number
  order: { rejection_message: string }
}

interface Sending {
  order: Order
  report: PendingReport
  onClose: () => void
  onNext?: (() => void) | undefined
  stays?: boolean | undefined
  onOvertaken: (current: Order) => void
}

/** Sends one line's report with all earlier ones (GAP-101); after the last, the clerk goes to the order (ACT-019) or on. */
export function useReport({ order, report, onClose, onNext, stays = false, onOvertaken }: Sending) {
  const queryClient = useQueryClient()
  const update = useOrderCommand({
    event: 'Report Items',
    order,
    isDecision: true,
    send: (body: ReportBody, ask) => ask('PUT /m/v2/orders/{id}', { params: { id: order.id }, body }),
    failure: messages.orderUpdateFailed,
    onDone: () => {
      dropReport(order, report)
      // One that is not available is not offered in another's place.
      void queryClient.invalidateQueries({ queryKey: ['GET /c/v2/merchants/{tmk}/offerings', merchantKey()] })
      const isLast = pendingReportsOf(order).length === 0
      if (onNext) {
        onNext()
        return 'stay'
      }
      onClose()
      return isLast && !stays ? undefined : 'stay'
    },
    onOvertaken,
    showRefusal: () => true,
  })
  return {
    isPending: update.isPending,
    problem: update.error instanceof CallError ? Object.values(update.error.fieldErrors)[0] : undefined,
    forgetProblem: update.reset,
    send: (entry: { reason: string; quantity?: number } | { price: number }) => {
      const handled = readRejection(order.rejection_message)
      const ofKind = { ...handled[report.kind], [report.line]: { checked: true, ...entry } }
      const rejection_message = JSON.stringify({ ...handled, [report.kind]: ofKind })
      update.mutate({
        id: order.id,
        status: 'REJECTED_PARTIAL',
        ...asSeen(order),
        order: { rejection_message },
      })
    },
  }
}
