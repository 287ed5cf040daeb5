import { messages } from '@cellarhand/contract/messages'
import { Textarea, TextInput } from '@mantine/core'
import type { FormEvent } from 'react'
import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { StepDialogProps } from '#orders/public.ts'
import { useOrderCommand } from '#orders/public.ts'
import { merchantKey } from '#sign-in/public.ts'
import { Button } from '#ui/blocks/button.tsx'
import { DialogButtons } from '#ui/dialogs/dialog.tsx'
import { FormDialog } from '#ui/dialogs/form-dialog.tsx'
import styles from './deliver-dialog.module.css'
import { listedError } from './first-error.ts'

interface PickupWish {
  dispatch_type: 'immediate'
  number_of_package: number
  pickup_instructions: string
  save_instructions: boolean
}

const mostBags = 1000

/** Requests a courier, with the number of bags and the instructions for the store. */
export function CourierDialog({ order, onClose }: StepDialogProps) {
  const [bags, setBags] = useState('1')
  const [instructions, setInstructions] = useState(order.aux_data.courier_pick_instructions ?? '')
  const [isSaved, setSaved] = useState(false)
  const [problem, setProblem] = useState<string>()
  const field = useRef<HTMLInputElement>(null)
  const request = useOrderCommand({
    event: 'Request Courier',
    order,
    send: (courier_info: PickupWish, ask) =>
      ask('POST /m/v2/merchant/{tmk}/orders/{id}/courier', {
        params: { tmk: merchantKey(), id: order.id },
        body: { courier_info },
      }),
    success: messages.courierSaved,
    onDone: onClose,
    onFailure: listedError,
  })
  const refused = listedError(request.error)
  const count = /^\d+$/.test(bags.trim()) ? Number(bags) : 0
  const step = (by: number): void => {
    setBags(String(Math.min(mostBags, Math.max(1, count + by))))
    setProblem(undefined)
  }
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (request.isPending) return
    if (count < 1 || count > mostBags) {
      flushSync(() => setProblem('Please enter the number of bags: a whole number, at least 1'))
      field.current?.focus()
      return
    }
    request.mutate({
      dispatch_type: 'immediate',
      number_of_package: count,
      pickup_instructions: instructions.trim(),
      save_instructions: isSaved,
    })
  }
  return (
    <FormDialog title="Request Courier Pickup" onClose={onClose}>
      <form onSubmit={submit} noValidate className={styles.form}>
        <div className={styles.bags}>
          <TextInput
            ref={field}
            label="Number of bags"
            inputMode="numeric"
            size="md"
            required
            data-autofocus
            maxLength={4}
            value={bags}
            onChange={(event) => {
              setBags(event.currentTarget.value)
              setProblem(undefined)
            }}
            error={problem}
          />
          <Button look="plain" size="large" aria-label="One bag less" onClick={() => step(-1)}>
            −
          </Button>
          <Button look="plain" size="large" aria-label="One bag more" onClick={() => step(1)}>
            +
          </Button>
        </div>
        <Textarea
          label="Pickup instructions"
          rows={3}
          maxLength={500}
          value={instructions}
          onChange={(event) => setInstructions(event.currentTarget.value)}
        />
        <label className={styles.check}>
          <input
            type="checkbox"
            checked={isSaved}
            onChange={(event) => setSaved(event.currentTarget.checked)}
          />
          Save these instructions for later
        </label>
        {refused !== undefined && (
          <p role="alert" className={styles.problem}>
            {refused}
          </p>
        )}
        <DialogButtons>
          <Button look="plain" onClick={onClose} disabled={request.isPending}>
            CLOSE
          </Button>
          <Button type="submit" isBusy={request.isPending}>
            REQUEST PICKUP
          </Button>
        </DialogButtons>
      </form>
    </FormDialog>
  )
}
