import { messages } from '@cellarhand/contract/messages'
import { Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useForm } from '#lib/parts/use-form.ts'
import type { StepDialogProps } from '#orders/public.ts'
import { MovedOnNotice, useOrderCommand } from '#orders/public.ts'
import { merchantKey } from '#sign-in/public.ts'
import { Button } from '#ui/blocks/button.tsx'
import { FormButtons, FormDialog } from '#ui/dialogs/form-dialog.tsx'
import styles from './deliver-dialog.module.css'
import { listedError } from './first-error.ts'

interface PickupWish {
  dispatch_type: 'immediate'
  number_of_package: number
  pickup_instructions: string
  save_instructions: boolean
}

const mostBags = 1000
const notACount = 'Please enter the number of bags: a whole number, at least 1'

/** 0 if it is no whole number. */
function countOf(bags: string): number {
  return /^\d+$/.test(bags.trim()) ? Number(bags) : 0
}

function isCount(bags: string): boolean {
  return countOf(bags) >= 1 && countOf(bags) <= mostBags
}

/** Requests a courier, with the number of bags and the instructions for the store. */
export function CourierDialog({ order, onClose }: StepDialogProps) {
  const [isSaved, setSaved] = useState(false)
  const form = useForm(
    { bags: '1', instructions: order.aux_data.courier_pick_instructions ?? '' },
    ({ bags }) => ({ bags: isCount(bags) ? undefined : notACount }),
  )
  const { bags, instructions } = form.fields
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
  const step = (by: number): void =>
    form.change({ bags: String(Math.min(mostBags, Math.max(1, countOf(bags) + by))) })
  const send = (): void =>
    request.mutate({
      dispatch_type: 'immediate',
      number_of_package: countOf(bags),
      pickup_instructions: instructions.trim(),
      save_instructions: isSaved,
    })
  return (
    <FormDialog title="Request Courier Pickup" onClose={onClose}>
      <form className={styles.form} {...form.element(send, !request.isPending)}>
        <div className={styles.bags}>
          <TextInput
            label="Number of bags"
            inputMode="numeric"
            size="md"
            required
            data-autofocus
            maxLength={4}
            {...form.text('bags')}
          />
          <Button look="plain" size="large" aria-label="One bag less" onClick={() => step(-1)}>
            −
          </Button>
          <Button look="plain" size="large" aria-label="One bag more" onClick={() => step(1)}>
            +
          </Button>
        </div>
        <Textarea label="Pickup instructions" rows={3} maxLength={500} {...form.text('instructions')} />
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
        <MovedOnNotice order={order} action="request_courier" still={null} isSending={request.isPending} />
        <FormButtons onClose={onClose} isBusy={request.isPending}>
          REQUEST PICKUP
        </FormButtons>
      </form>
    </FormDialog>
  )
}

// In one chunk with this one: each chunk's name adds to the first script.
export { CourierDetailsDialog } from './courier-details-dialog.tsx'
