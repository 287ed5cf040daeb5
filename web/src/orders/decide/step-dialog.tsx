import { useIsMutating } from '@tanstack/react-query'
import { createContext, use, useCallback, useState } from 'react'
import type { LazyPart } from '#lib/parts/lazy-part.ts'
import { lazyPart } from '#lib/parts/lazy-part.ts'
import { useAhead } from '#lib/parts/fetch-ahead.ts'
import { DialogPart } from '#ui/dialogs/dialog.tsx'
import { DialogScope } from '#ui/dialogs/late-note.tsx'
import { changeScope } from '../state/changes-answered.ts'
import type { Step, StepDialogProps } from '../order/next-step.ts'
import { useOnIt } from '../live/presence.ts'
import type { Order } from '../state/queries.ts'
import { useShownOrder } from '../state/queries.ts'

type Dialogs = Partial<Record<Step, LazyPart<StepDialogProps>>>

const ownDialogs: Dialogs = {
  accept: lazyPart(() => import('./accept-dialog.tsx'), 'AcceptDialog'),
  reject: lazyPart(() => import('./reject-dialog.tsx'), 'RejectDialog'),
  address: lazyPart(() => import('./correct-address-dialog.tsx'), 'CorrectAddressDialog'),
}

/** The titles of the dialogs, before these are fetched. */
const titles: Record<Step, string> = {
  review: 'Review Order',
  accept: 'Accept & Confirm',
  reject: 'Reject Order',
  track: 'Tracking Information',
  labels: 'Create Shipping Label',
  deliver: 'Deliver Order',
  courier: 'Request Courier Pickup',
  courier_details: 'Courier Details',
  address: 'Correct Address',
}

/** Dialogs of the slices above this one; the app provides them. */
export const StepDialogs = createContext<Dialogs>({})

export type OpenStep = { step: Step; order: Order; from?: StepDialogProps['from'] } | null

interface Props {
  open: OpenStep
  onChange: (open: OpenStep) => void
}

export function StepDialog({ open, onChange }: Props) {
  const given = use(StepDialogs)
  useOnIt(open?.order.id, 'deciding')
  useAhead(
    useCallback(() => {
      for (const dialog of Object.values({ ...ownDialogs, ...given })) dialog.preload()
    }, [given]),
  )
  const Dialog = open && { ...ownDialogs, ...given }[open.step]
  if (!Dialog) return null
  return <ShownDialog key={`${open.step} ${open.order.id}`} {...{ Dialog, open, onChange }} />
}

interface ShownProps {
  Dialog: LazyPart<StepDialogProps>
  open: NonNullable<OpenStep>
  onChange: Props['onChange']
}

/**
 * The open dialog follows its order, so that nobody decides on an old state. The dialog's own change may arrive over
 * the event stream before the answer, and the answer must still find its form.
 */
function ShownDialog({ Dialog, open, onChange }: ShownProps) {
  const followed = useShownOrder(open.order)
  const [order, setOrder] = useState(followed)
  const scope = changeScope(open.order.id)
  const isChanging = useIsMutating({ predicate: ({ options }) => options.scope?.id === scope }) > 0
  if (!isChanging && order !== followed) setOrder(followed)
  const close = (): void => onChange(null)
  return (
    <DialogScope value={scope}>
      <DialogPart title={titles[open.step]} onClose={close}>
        <Dialog
          order={order}
          from={open.from}
          onClose={close}
          onStep={(step) => onChange({ step, order, from: open.step })}
        />
      </DialogPart>
    </DialogScope>
  )
}
