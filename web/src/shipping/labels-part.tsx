import { isAboutAddress } from '@cellarhand/contract/label-errors'
import { labelFixOf } from '@cellarhand/contract/label-fixes'
import { isLocal } from '@cellarhand/contract/order-statuses'
import { messages } from '@cellarhand/contract/messages'
import { namedAs } from '@cellarhand/contract/product-name'
import IconPrinter from '@tabler/icons-react/dist/esm/icons/IconPrinter.mjs'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { config } from '#lib/calls/config.ts'
import { lazyPart } from '#lib/parts/lazy-part.ts'
import { useShortcuts } from '#lib/keys/shortcuts.ts'
import type { OrderPartProps } from '#orders/public.ts'
import { allowedActions, orderQuery, useWhyItWaits } from '#orders/public.ts'
import { merchantKey } from '#sign-in/public.ts'
import { Fact } from '#ui/blocks/block.tsx'
import { Button } from '#ui/blocks/button.tsx'
import { DialogPart } from '#ui/dialogs/dialog.tsx'
import { takeBackFailure, tellFailure } from '#ui/notes/toasts.tsx'
import { standingFailure } from './failures/label-failure.ts'
import { LabelProblem } from './failures/label-problem.tsx'
import { labelsAction, openLabels } from './open-labels.ts'
import { labelsQuery, type Label } from './queries.ts'
import styles from './labels-part.module.css'

const labelUnavailable = namedAs(config.productName, messages.labelUnavailable)

const VoidDialog = lazyPart(() => import('./void-dialog.tsx'), 'VoidDialog')
const CorrectTrackingDialog = lazyPart(() => import('./correct-tracking-dialog.tsx'), 'CorrectTrackingDialog')

/** The order's labels: buy them, or print, void and correct the existing ones (GAP-121). */
export function LabelsPart({ order, onStep }: OrderPartProps) {
  const waits = useWhyItWaits(order)
  if (isLocal(order.delivery.method)) return null
  const actions = allowedActions(order)
  if (actions.has('buy_labels')) {
    return (
      <Fact name="Shipping label">
        <LastFailure order={order} onStep={onStep} />
        <Button
          look="plain"
          size="small"
          disabled={waits !== undefined}
          title={waits}
          onClick={() => onStep('labels')}
        >
          Create Shipping Label
        </Button>
      </Fact>
    )
  }
  if (!actions.has('void_labels')) return null
  return <BoughtLabels order={order} />
}

/** Why the last try bought nothing, or why the next one will not, with the way to put it right. */
function LastFailure({ order, onStep }: Pick<OrderPartProps, 'order' | 'onStep'>) {
  const { data } = useQuery({ ...orderQuery(order.id), enabled: false })
  const failure = standingFailure(data ?? order)
  const canCorrect = isAboutAddress(failure?.code)
  const correct = (): void => onStep('address', 'labels')
  useShortcuts(canCorrect ? { c: correct } : {})
  if (!failure) return null
  return (
    <div className={styles.failure}>
      <p className={styles.problem}>
        <LabelProblem text={failure.reason} orderId={order.id} />
      </p>
      <p>{labelFixOf(failure.code)}</p>
      {canCorrect && (
        <Button look="plain" size="small" onClick={correct}>
          Correct Address <kbd aria-hidden>c</kbd>
        </Button>
      )}
    </div>
  )
}

function BoughtLabels({ order }: Pick<OrderPartProps, 'order'>) {
  const [open, setOpen] = useState<'void' | 'correct' | null>(null)
  const [isPrinting, setPrinting] = useState(false)
  const asked = useQuery(labelsQuery(merchantKey(), order))
  const print = async (): Promise<void> => {
    setPrinting(true)
    takeBackFailure(labelsAction(order.id))
    const { data } = await asked.refetch({ cancelRefetch: false })
    setPrinting(false)
    printLabels(order.id, labelsOf(order, data))
  }
  const labels = labelsOf(order, asked.data) ?? []
  const isBack = order.came_back !== undefined
  // The first parcel's number can be mistyped where no label gave it.
  const isTyped = !labels.some(({ tracking_code: code }) => code === order.tracking_id)
  const typing = isBack ? 'Sent Again' : 'Correct Tracking'
  const close = () => setOpen(null)
  return (
    <Fact name="Shipping labels">
      <div className={styles.buttons}>
        <Button look="plain" size="small" isBusy={isPrinting} onClick={() => void print()}>
          <IconPrinter size={16} aria-hidden /> Print Labels
        </Button>
        {labels.length > 0 && (
          <Button look="plain" size="small" onClick={() => setOpen('void')}>
            Void Labels
          </Button>
        )}
        {asked.data && (isTyped || isBack) && (
          <Button look="plain" size="small" onClick={() => setOpen('correct')}>
            {typing}
          </Button>
        )}
      </div>
      {labels.some(({ label_url }) => label_url === null) && (
        <p className={styles.problem}>{labelUnavailable}</p>
      )}
      <DialogPart title={open === 'void' ? 'Void Shipping Labels' : typing} onClose={close}>
        {open === 'void' && <VoidDialog order={order} labels={labels} onClose={close} />}
        {open === 'correct' && <CorrectTrackingDialog order={order} onClose={close} />}
      </DialogPart>
    </Fact>
  )
}

/** A parcel that was sent again has another number than the labels of its first way. */
function labelsOf({ shipment_info: parcels }: OrderPartProps['order'], bought: readonly Label[] | undefined) {
  const codes = new Set(parcels.map(({ tracking_code }) => tracking_code))
  return bought?.filter(({ tracking_code }) => codes.has(tracking_code))
}

function printLabels(orderId: string, labels: readonly Label[] | undefined): void {
  const action = labelsAction(orderId)
  if (labels === undefined)
    return tellFailure(action, messages.somethingWentWrong, 'The labels could not be fetched.')
  const [first] = labels
  if (first === undefined) return tellFailure(action, messages.noLabels)
  if (labels.some(({ label_url }) => label_url === null)) tellFailure(action, labelUnavailable)
  openLabels(orderId, labels)
}
