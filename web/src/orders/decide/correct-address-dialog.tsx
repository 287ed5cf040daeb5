import { TextInput } from '@mantine/core'
import type { FormEvent } from 'react'
import { useState } from 'react'
import { CallError } from '#lib/calls/call.ts'
import { merchantKey } from '#sign-in/public.ts'
import { Button } from '#ui/blocks/button.tsx'
import { DialogButtons } from '#ui/dialogs/dialog.tsx'
import { FormDialog } from '#ui/dialogs/form-dialog.tsx'
import type { StepDialogProps } from '../order/next-step.ts'
import { recipientName } from '../order/facts.ts'
import styles from './dialogs.module.css'
import { asSeen, useOrderCommand } from './use-order-command.ts'

const fields = [
  { name: 'street_1', label: 'Street', most: 200, isRequired: true },
  { name: 'street_2', label: 'Apartment, floor, company', most: 200, isRequired: false },
  { name: 'city', label: 'City', most: 100, isRequired: true },
  { name: 'state', label: 'State', most: 50, isRequired: true },
  { name: 'zipcode', label: 'Post code', most: 10, isRequired: true },
  { name: 'phone_number', label: 'Phone number', most: 32, isRequired: false },
] as const
type Name = (typeof fields)[number]['name']
type Address = Record<Name, string>

/** Puts right where the parcel or the driver goes: the way on when a carrier refused the address. */
export function CorrectAddressDialog({ order, onClose }: StepDialogProps) {
  const { recipient } = order
  const [address, setAddress] = useState<Address>(() => ({
    street_1: recipient.street_1,
    street_2: recipient.street_2 ?? '',
    city: recipient.city,
    state: recipient.state,
    zipcode: recipient.zipcode,
    phone_number: recipient.phone_number ?? '',
  }))
  const [missing, setMissing] = useState<ReadonlySet<Name>>(new Set())
  const save = useOrderCommand({
    event: 'Correct Address',
    order,
    send: (typed: Address, ask) =>
      ask('PUT /m/v2/merchant/{tmk}/orders/{id}/recipient', {
        params: { tmk: merchantKey(), id: order.id },
        body: { ...typed, street_3: recipient.street_3, ...asSeen(order) },
      }),
    success: 'The address was corrected.',
    failure: 'The address was not corrected.',
    onDone: onClose,
  })
  const refused = save.error instanceof CallError ? save.error.fieldErrors : {}
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    if (save.isPending) return
    const empty = fields.filter(({ name, isRequired }) => isRequired && address[name].trim() === '')
    setMissing(new Set(empty.map(({ name }) => name)))
    const [first] = empty
    if (first) event.currentTarget.querySelector<HTMLElement>(`[name="${first.name}"]`)?.focus()
    else save.mutate(address)
  }
  return (
    <FormDialog title="Correct Address" onClose={onClose}>
      <form onSubmit={submit} noValidate className={styles.form}>
        <p>
          For {recipientName(order)}. Order <b>#{order.id}</b> keeps the former address in its history.
        </p>
        {fields.map(({ name, label, most, isRequired }, index) => (
          <TextInput
            key={name}
            name={name}
            label={label}
            maxLength={most}
            required={isRequired}
            data-autofocus={index === 0 || undefined}
            value={address[name]}
            onChange={(event) => {
              setAddress({ ...address, [name]: event.currentTarget.value })
              setMissing(new Set())
              save.reset()
            }}
            error={missing.has(name) ? `Please enter the ${label.toLowerCase()}.` : refused[name]}
          />
        ))}
        <DialogButtons>
          <Button look="plain" onClick={onClose} disabled={save.isPending}>
            CLOSE
          </Button>
          <Button type="submit" isBusy={save.isPending}>
            SAVE
          </Button>
        </DialogButtons>
      </form>
    </FormDialog>
  )
}
