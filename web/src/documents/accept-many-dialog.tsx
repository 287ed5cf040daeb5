import { bulkLimit } from '@cellarhand/contract/bulk'
import { messages } from '@cellarhand/contract/messages'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call, type Reply } from '#lib/calls/call.ts'
import { reasonOf } from '#lib/calls/reason-of.ts'
import { track } from '#lib/reports/analytics.ts'
import { sendOnce } from '#lib/calls/send-once.ts'
import { askListsAgain, keeper, NewestNotes, type BulkDialogProps, type Selected } from '#orders/public.ts'
import { preferences } from '#lib/kept/preferences.ts'
import { serverNow } from '#lib/time/server-clock.ts'
import { merchantKey } from '#sign-in/public.ts'
import { Button } from '#ui/blocks/button.tsx'
import { Dialog, DialogButtons } from '#ui/dialogs/dialog.tsx'
import { tellFailure, toast } from '#ui/notes/toasts.tsx'
import { useTold } from '#ui/notes/told.ts'
import { DownloadDialog } from './download-dialog.tsx'
import { startDownloadNext } from './downloads.ts'
import { FailedOrders } from './failed-orders.tsx'

const line = 'POST /m/v2/merchant/{tmk}/orders/bulk/accept'
type Rejected = NonNullable<Reply<typeof line>['rejected']>

const action = 'accept many'

interface Result {
  /** Wait on the device for the line. */
  waiting: readonly string[]
  accepted: string[]
  acceptedCount: number
  rejected: Rejected
  rejectedCount: number
  failure: unknown
}

/** Many orders go in several calls. Orders accepted before a call failed stay accepted, and the dialog says so. */
async function acceptAll(wanted: readonly Selected[]): Promise<Result> {
  const waiting = (await keeper.get()?.keepAccepts(wanted)) ?? []
  const kept = new Set(waiting)
  const selected = wanted.filter(({ id }) => !kept.has(id))
  const result: Result = {
    waiting,
    accepted: [],
    acceptedCount: 0,
    rejected: [],
    rejectedCount: 0,
    failure: undefined,
  }
  for (let from = 0; from < selected.length; from += bulkLimit) {
    const part = selected.slice(from, from + bulkLimit)
    const ids = part.map(({ id }) => id)
    // A key belongs to the orders as the clerk saw them. After a change, the same press is another request.
    const seen = part.map(({ id, version }) => `${id}/${version}`).join(' ')
    try {
      const params = { tmk: merchantKey() }
      const body = { orders: ids.map((id) => ({ id, status: 'MERCHANT_ACCEPTED' as const })) }
      const reply = await sendOnce(`accept ${seen}`, (once) => call(line, { params, body }, once))
      result.acceptedCount += reply.order_accepted_count
      result.rejectedCount += reply.order_rejected_count
      // Which ones were rejected is not always told. The lists, asked again, then show which are accepted.
      if (reply.rejected === undefined && reply.order_rejected_count > 0) continue
      const refused = new Set(reply.rejected?.map(({ id }) => id))
      result.accepted.push(...ids.filter((id) => !refused.has(id)))
      result.rejected.push(...(reply.rejected ?? []))
    } catch (failure) {
      return { ...result, failure }
    }
  }
  return result
}

export function AcceptManyDialog({ selected: given, onClose, onDone }: BulkDialogProps) {
  const queryClient = useQueryClient()
  // The selection shrinks as orders are accepted; the dialog's question must not change.
  const [selected, setSelected] = useState(given)
  const [rejected, setRejected] = useState<Rejected>([])
  const [accepted, setAccepted] = useState<readonly string[]>([])
  const [printed, setPrinted] = useState<readonly Selected[]>([])
  // Not earlier, because the bar that holds this dialog disappears with the last selected order.
  const close = (): void => {
    onDone(accepted)
    onClose()
  }
  const accept = useTold({
    action,
    attempt: () => acceptAll(selected),
    onSuccess(result) {
      const { waiting } = result
      if (waiting.length > 0)
        toast('success', 'Not sent yet', `${ordersAre(waiting.length)} sent when the connection is back.`)
      if (waiting.length === selected.length) {
        onDone(waiting)
        return onClose()
      }
      if (result.acceptedCount > 0) track('Accept Orders')
      askListsAgain(queryClient)
      const settled = new Set([...waiting, ...result.accepted])
      setAccepted([...accepted, ...settled])
      const isPrinting = preferences.get().printsOnAccept === true && result.accepted.length > 0
      const slips = selected.filter(({ id }) => result.accepted.includes(id))
      const mustStay = result.failure !== undefined || result.rejected.length > 0
      if (isPrinting && mustStay) startDownloadNext('slips', slips)
      if (result.failure !== undefined) setSelected(selected.filter(({ id }) => !settled.has(id)))
      setRejected(result.rejected)
      if (result.failure !== undefined) {
        tellFailure(action, messages.bulkAcceptFailed, reasonOf(result.failure))
        return
      }
      if (result.acceptedCount === 0) tellFailure(action, messages.bulkAcceptNone)
      else if (result.rejectedCount > 0)
        tellFailure(action, messages.bulkAcceptSome, counted(result.acceptedCount))
      else toast('success', counted(result.acceptedCount))
      // Else the rejected ones are listed first.
      if (result.rejected.length > 0) return
      if (isPrinting) return setPrinted(slips)
      onDone(result.accepted)
      onClose()
    },
    failure: (error) => [messages.bulkAcceptFailed, reasonOf(error)],
  })
  if (printed.length > 0)
    return <DownloadDialog kind="slips" isNext selected={printed} onClose={close} onDone={onDone} />
  const count = selected.length
  if (rejected.length > 0) {
    return (
      <Dialog title="Accept Orders" onClose={close}>
        <FailedOrders
          title={`${rejected.length} of ${count} ${rejected.length === 1 ? 'was' : 'were'} not accepted`}
          failed={rejected}
        />
        <DialogButtons>
          <Button data-autofocus onClick={close}>
            CLOSE
          </Button>
        </DialogButtons>
      </Dialog>
    )
  }
  const nowMs = serverNow()
  const ofColleagues = selected.filter(({ theirsUntil: until }) => Date.parse(until ?? '') > nowMs).length
  return (
    <Dialog title="Accept Orders" onClose={close}>
      <p>
        {count === 1 ? 'One order becomes' : `${count} orders become`} accepted. Orders that have moved on
        meanwhile stay as they are and are listed.
      </p>
      {ofColleagues > 0 && (
        <p role="alert">
          {ordersAre(ofColleagues)} taken by colleagues, and you decide {ofColleagues === 1 ? 'it' : 'them'}{' '}
          too.
        </p>
      )}
      <NewestNotes ids={selected.map(({ id }) => id)} />
      <DialogButtons>
        <Button look="plain" disabled={accept.isPending} onClick={close}>
          CANCEL
        </Button>
        <Button data-autofocus isBusy={accept.isPending} onClick={() => accept.mutate()}>
          {count === 1 ? 'ACCEPT' : `ACCEPT ${count}`}
        </Button>
      </DialogButtons>
    </Dialog>
  )
}

function ordersAre(count: number): string {
  return count === 1 ? '1 order is' : `${count} orders are`
}

function counted(count: number): string {
  return count === 1 ? '1 order was accepted.' : `${count} orders were accepted.`
}
