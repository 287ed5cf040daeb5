import { declaredValueLimit, mostBoxes } from '@cellarhand/contract/boxes'
import { isAboutAddress, labelErrorText } from '@cellarhand/contract/label-errors'
import { namedAs } from '@cellarhand/contract/product-name'
import { messages } from '@cellarhand/contract/messages'
import type { OrderDetail } from '@cellarhand/contract/orders'
import { TextInput } from '@mantine/core'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { FormEvent } from 'react'
import { use, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import { CallError } from '#lib/calls/call.ts'
import { keepFocusNear } from '#lib/keys/keep-focus-near.ts'
import { useEarly } from '#lib/parts/late-press.ts'
import { showAtFields } from '#lib/parts/use-form.ts'
import { config } from '#lib/calls/config.ts'
import type { StepDialogProps } from '#orders/public.ts'
import { MovedOnNotice, orderQuery, useOrderCommand } from '#orders/public.ts'
import { merchantKey } from '#sign-in/public.ts'
import { Button } from '#ui/blocks/button.tsx'
import { DialogButtons, DialogPart } from '#ui/dialogs/dialog.tsx'
import { FormDialog } from '#ui/dialogs/form-dialog.tsx'
import type { Box, Problems } from './boxes-form.ts'
import { evenly, problemsOf, wire } from './boxes-form.ts'
import { isTooManyLabelErrors } from './failures/label-error-times.ts'
import { recordedFailure } from './failures/label-failure.ts'
import { LabelPrice } from './label-price.tsx'
import { LabelProblem } from './failures/label-problem.tsx'
import { openLabels } from './open-labels.ts'
import styles from './label-dialog.module.css'

/** An address that the carrier refused comes first: with it, the next try would fail as well. */
export function LabelDialog(props: StepDialogProps) {
  const { order, from, onClose } = props
  const queryClient = useQueryClient()
  // Only as it opens: a refusal that comes meanwhile is shown where the clerk asked.
  const [isRefused] = useState<boolean | Promise<boolean>>(() => {
    const query = orderQuery(order.id)
    const known = queryClient.getQueryState(query.queryKey)
    const before = known?.isInvalidated ? undefined : known?.data
    // What the list has of it is not its history, which may be on its way.
    if (from !== undefined || (before && known?.fetchStatus !== 'fetching'))
      return blamesAddress(from, before)
    const tooLate = new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), HISTORY_MS))
    const asked = queryClient.fetchQuery(query).catch(() => undefined)
    return Promise.race([asked, tooLate]).then((detail) => blamesAddress(from, detail ?? before))
  })
  // The frame owns the keys until the way is known.
  return (
    <DialogPart title="Create Shipping Label" onClose={onClose}>
      <Way {...props} isRefused={isRefused} />
    </DialogPart>
  )
}

function Way({ isRefused: given, ...props }: StepDialogProps & { isRefused: boolean | Promise<boolean> }) {
  const isRefused = typeof given === 'boolean' ? given : use(given)
  const correct = useEffectEvent(() => props.onStep('address'))
  useLayoutEffect(() => {
    if (isRefused) correct()
  }, [isRefused])
  return isRefused ? null : <BuyDialog {...props} />
}

/** The list knows no history. On a slow line the clerk need not wait for it. */
const HISTORY_MS = 500

/** An address that was never tried may be tried: what the history records counts alone. */
function blamesAddress(from: StepDialogProps['from'], detail: OrderDetail | undefined): boolean {
  return from === undefined && isAboutAddress(recordedFailure(detail?.history)?.code)
}

function BuyDialog({ order, from, onClose, onStep }: StepDialogProps) {
  const form = useRef<HTMLFormElement>(null)
  const [isEdited, setEdited] = useState(false)
  const [boxes, setBoxes] = useState<readonly Box[]>(() =>
    evenly([{ weight: '', insurance: '' }], order.order_weight),
  )
  const [found, setFound] = useState<Problems>({})
  const [failure, setFailure] = useState('')
  const most = mostBoxes(order.items)
  const buy = useBuyLabels({ order, onClose, onFailure: setFailure })
  // It comes by itself once an address is corrected, and the end of that press must not buy.
  const isEarly = useEarly(order.id, from === 'address')
  const refused = buy.error instanceof CallError ? buy.error.fieldErrors : {}
  const problems: Problems = { ...refused, ...found }

  const change = (next: readonly Box[]): void => {
    setBoxes(next)
    setFound({})
    setFailure('')
    buy.reset()
  }
  const edit = (index: number, part: Partial<Box>): void => {
    if (part.weight !== undefined) setEdited(true)
    change(boxes.map((box, at) => (at === index ? { ...box, ...part } : box)))
  }
  /** Splits the weight again only until somebody sets one by hand (GAP-127). */
  const resize = (next: readonly Box[]): void => change(isEdited ? next : evenly(next, order.order_weight))
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (buy.isPending || isEarly) return
    const now = problemsOf(boxes)
    showAtFields(form.current, () => {
      setFound(now)
      setFailure('')
    })
    if (!Object.values(now).some(Boolean)) buy.mutate(boxes)
  }

  return (
    <FormDialog title="Create Shipping Label" onClose={onClose} size={560}>
      <form ref={form} onSubmit={submit} noValidate className={styles.form}>
        {boxes.map((box, index) => (
          <BoxFields
            key={index}
            index={index}
            box={box}
            problems={problems}
            onEdit={(part) => edit(index, part)}
            onRemove={() => resize(boxes.filter((_, at) => at !== index))}
          />
        ))}
        <div className={styles.more}>
          {most >= 2 && (
            <Button
              look="plain"
              size="small"
              disabled={boxes.length >= most || buy.isPending}
              onClick={() => resize([...boxes, { weight: '', insurance: '' }])}
            >
              <IconPlus size={16} aria-hidden /> Add Additional Box
            </Button>
          )}
          <p className={styles.hint}>
            Every label asks for an adult’s signature. The declared value limit is {declaredValueLimit} per
            box.
          </p>
        </div>
        <p className={styles.hint}>
          <Link to="/settings/carrier" className={styles.link}>
            Adjust label size and format
          </Link>
        </p>
        <LabelPrice order={order} boxes={boxes} />
        <MovedOnNotice order={order} action="buy_labels" still={null} isSending={buy.isPending} />
        {(failure || problems['boxes']) && (
          <p role="alert" className={styles.problem}>
            <LabelProblem text={failure || problems['boxes'] || ''} orderId={order.id} />
          </p>
        )}
        {failure && isAboutAddress(codeOf(buy.error)) && (
          <Button look="plain" size="small" onClick={() => onStep('address')}>
            Correct Address
          </Button>
        )}
        <DialogButtons>
          <Button look="plain" onClick={onClose} disabled={buy.isPending}>
            CLOSE
          </Button>
          <Button look="plain" onClick={() => onStep('track')} disabled={buy.isPending}>
            ADD TRACKING
          </Button>
          <Button type="submit" aria-disabled={isEarly || buy.isPending} isBusy={buy.isPending}>
            PRINT
          </Button>
        </DialogButtons>
      </form>
    </FormDialog>
  )
}

interface BuyProps extends Pick<StepDialogProps, 'order' | 'onClose'> {
  onFailure: (text: string) => void
}

function useBuyLabels({ order, onClose, onFailure }: BuyProps) {
  const queryClient = useQueryClient()
  return useOrderCommand({
    event: 'Buy Labels',
    order,
    send: async (wanted: readonly Box[], ask) => {
      const params = { tmk: merchantKey(), id: order.id }
      const body = { order_id: order.id, boxes: wanted.map(wire) }
      const reply = await ask('POST /m/v2/merchant/{tmk}/orders/{id}/shipping_labels', { params, body })
      openLabels(order.id, reply.data)
      return reply.order
    },
    success: messages.labelCreated,
    onDone: onClose,
    showRefusal: ({ fieldErrors }) => Object.keys(fieldErrors).some((name) => name.startsWith('boxes')),
    onFailure: (error) => {
      const text = textOf(error)
      onFailure(text)
      // Its history has the refusal now, and the next press asks for it.
      const { queryKey } = orderQuery(order.id)
      void queryClient.invalidateQueries({ queryKey, exact: true, refetchType: 'all' })
      return text
    },
  })
}

interface BoxFieldsProps {
  index: number
  box: Box
  problems: Problems
  onEdit: (part: Partial<Box>) => void
  onRemove: () => void
}

/** The first box stays (SHIP-007). */
function BoxFields({ index, box, problems, onEdit, onRemove }: BoxFieldsProps) {
  return (
    <fieldset className={styles.box}>
      <legend>Box {index + 1}</legend>
      <TextInput
        label="Weight (lbs)"
        inputMode="decimal"
        autoComplete="off"
        value={box.weight}
        data-autofocus={index === 0 || undefined}
        // An added box asks for its weight; Enter there buys the labels.
        autoFocus={index > 0}
        onChange={(event) => onEdit({ weight: event.currentTarget.value })}
        error={problems[`boxes.${index}.weight`]}
      />
      <TextInput
        label="Declared value ($)"
        inputMode="decimal"
        autoComplete="off"
        placeholder="Optional"
        value={box.insurance}
        onChange={(event) => onEdit({ insurance: event.currentTarget.value })}
        error={problems[`boxes.${index}.insurance`]}
      />
      {index > 0 && (
        <button
          ref={keepFocusNear}
          type="button"
          className={styles.remove}
          aria-label={`Remove box ${index + 1}`}
          onClick={onRemove}
        >
          <IconTrash size={18} aria-hidden />
        </button>
      )}
    </fieldset>
  )
}

function codeOf(error: Error | null): unknown {
  return error instanceof CallError ? error.body['code'] : undefined
}

/** A refusal about the order's state is no label error; every other error is, and counts. */
function textOf(error: Error): string {
  if (error instanceof CallError && error.status === 409) return error.message
  if (isTooManyLabelErrors(Date.now())) return messages.labelApology
  return namedAs(
    config.productName,
    error instanceof CallError ? labelErrorText(error.body) : messages.labelGeneral,
  )
}
