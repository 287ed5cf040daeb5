import { bottlesAway } from '@cellarhand/contract/came-back'
import IconArrowBackUp from '@tabler/icons-react/dist/esm/icons/IconArrowBackUp.mjs'
import type { FormEvent } from 'react'
import { useEffect, useState } from 'react'
import { formatDate, formatTime } from '#lib/time/dates.ts'
import { merchantKey } from '#sign-in/public.ts'
import { Button } from '#ui/blocks/button.tsx'
import { Dialog, DialogButtons } from '#ui/dialogs/dialog.tsx'
import { Notice } from '#ui/notes/notice.tsx'
import { PieceStepper } from '../decide/piece-stepper.tsx'
import { asSeen } from '../state/seen-version.ts'
import { useOrderCommand } from '../decide/use-order-command.ts'
import { cameBackWords } from '../history/history-words.ts'
import type { Order, OrderDetail } from '../state/queries.ts'
import { newestFirst } from '../history/order-history.tsx'
import styles from '../decide/dialogs.module.css'

/**
 * A clerk who scans the slip of a parcel that came back has its bottles in the hand: such an order has no other step,
 * so this one comes first.
 */
export function CameBackButton({ order }: { order: OrderDetail }) {
  const [isOpen, setOpen] = useState(false)
  const away = bottlesAway(order, order.history ?? [])
  const isGone = away === 0 && !isOpen
  // The dialog cannot give the focus back to a button that is no more.
  useEffect(() => {
    if (isGone && document.activeElement === document.body) document.querySelector('h1')?.focus()
  }, [isGone])
  if (isGone) return null
  return (
    <>
      <Button look={isExpected(order) ? 'primary' : 'plain'} onClick={() => setOpen(true)}>
        Came Back
      </Button>
      {isOpen && <CameBackDialog order={order} away={away} onClose={() => setOpen(false)} />}
    </>
  )
}

/** The carrier could not deliver it, or the order ended on its way: the bottles are on their way back. */
function isExpected({ status, history }: OrderDetail): boolean {
  const newest = newestFirst(history).find(({ action }) => action.startsWith('carrier_'))
  return ['CANCELLED', 'REFUNDED'].includes(status) || newest?.action === 'carrier_fail'
}

interface DialogProps {
  order: OrderDetail
  away: number
  onClose: () => void
}

function CameBackDialog({ order, away, onClose }: DialogProps) {
  const [seen, setSeen] = useState<Order>(order)
  const [chosen, setBottles] = useState(away)
  const bottles = Math.min(chosen, away)
  const note = useOrderCommand({
    event: 'Came Back',
    order,
    send: (body: { bottles: number }, ask) =>
      ask('POST /m/v2/merchant/{tmk}/orders/{id}/came_back', {
        params: { tmk: merchantKey(), id: order.id },
        body: { ...body, ...asSeen(seen) },
      }),
    success: 'Noted what came back',
    failure: 'It was not noted',
    onDone: () => {
      onClose()
      return 'stay'
    },
    onOvertaken: setSeen,
  })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (bottles > 0 && !note.isPending) note.mutate({ bottles })
  }
  return (
    <Dialog title="Came Back" onClose={onClose}>
      <form className={styles.form} onSubmit={submit} noValidate>
        <p>
          Order <b>#{order.id}</b> stays as it is: the marketplace cancels or refunds it. The bottles do not
          go back into the stock list by themselves.
        </p>
        <PieceStepper
          label="Bottles that are back"
          after={`of ${away}`}
          value={bottles}
          max={away}
          onChange={setBottles}
        />
        <DialogButtons>
          <Button look="plain" onClick={onClose} disabled={note.isPending}>
            CLOSE
          </Button>
          <Button type="submit" data-autofocus disabled={bottles === 0} isBusy={note.isPending}>
            BACK IN THE STORE
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  )
}

export function CameBackNotice({ order, timezone }: { order: OrderDetail; timezone: string }) {
  const { came_back: back, history } = order
  const undo = useOrderCommand({
    event: 'Not Back',
    order,
    send: (_: undefined, ask) =>
      ask('DELETE /m/v2/merchant/{tmk}/orders/{id}/came_back', {
        params: { tmk: merchantKey(), id: order.id },
        body: asSeen(order),
      }),
    success: 'Nothing is noted as back any more',
    failure: 'It was not undone',
    onDone: () => {
      document.querySelector('h1')?.focus()
      return 'stay'
    },
  })
  if (back === undefined) return null
  const by = newestFirst(history).find(({ action }) => action === 'came_back')?.actor
  return (
    <Notice icon={IconArrowBackUp} hue="amber">
      {cameBackWords(back)}, noted{by && ` by ${by}`} on {formatDate(back.at, timezone)} at{' '}
      {formatTime(back.at, timezone)}.{' '}
      <Button look="plain" size="small" isBusy={undo.isPending} onClick={() => undo.mutate(undefined)}>
        Undo
      </Button>
    </Notice>
  )
}
