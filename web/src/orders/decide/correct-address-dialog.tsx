import { TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useEarly } from '#lib/parts/late-press.ts'
import { useForm, type Problems } from '#lib/parts/use-form.ts'
import { merchantKey } from '#sign-in/public.ts'
import { Button } from '#ui/blocks/button.tsx'
import { FormButtons, FormDialog } from '#ui/dialogs/form-dialog.tsx'
import type { StepDialogProps } from '../order/next-step.ts'
import { allowedActions } from '../state/allowed-actions.ts'
import type { OrderDetail } from '../state/queries.ts'
import { orderQuery } from '../state/queries.ts'
import { recipientName } from '../order/facts.ts'
import styles from './dialogs.module.css'
import { asSeen } from '../state/seen-version.ts'
import { MovedOnNotice } from './moved-on-notice.tsx'
import { newerOf, useOrderCommand } from './use-order-command.ts'

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

function problemsOf(address: Address): Problems<Name> {
  const empty = fields.filter(({ name, isRequired }) => isRequired && address[name].trim() === '')
  return Object.fromEntries(
    empty.map(({ name, label }) => [name, `Please enter the ${label.toLowerCase()}.`]),
  ) as Problems<Name>
}

/** The label's own part leads here while a refusal stands, so the newest is that one. */
function lastRefusal(detail: OrderDetail | undefined) {
  const refusals = detail?.history?.filter(({ action }) => action === 'label_failed') ?? []
  return refusals.toSorted((a, b) => Date.parse(b.at) - Date.parse(a.at))[0]?.details ?? undefined
}

/** Puts right where the parcel or the driver goes: the way on when a carrier refused the address. */
export function CorrectAddressDialog({ order: given, from, onClose, onStep }: StepDialogProps) {
  // A colleague may have corrected another part of the address since the dialog opened.
  const [seen, setSeen] = useState(given)
  const order = newerOf(given, seen)
  const { recipient } = order
  const stored: Address = {
    street_1: recipient.street_1,
    street_2: recipient.street_2 ?? '',
    city: recipient.city,
    state: recipient.state,
    zipcode: recipient.zipcode,
    phone_number: recipient.phone_number ?? '',
  }
  const { data } = useQuery({ ...orderQuery(order.id), enabled: false })
  const refused = from === 'labels' ? lastRefusal(data) : undefined
  const wrong: Name = refused?.['code'] === 'missing_phone' ? 'phone_number' : 'street_1'
  const form = useForm(stored, problemsOf, { follows: true })
  // A clerk who has typed nothing sees the newest address, and goes on from that.
  const isUntouched = fields.every(({ name }) => form.fields[name] === stored[name])
  if (isUntouched && given.version > seen.version) setSeen(given)
  const [opened] = useState(stored)
  const isEarly = useEarly(order.id, from === 'labels')
  const save = useOrderCommand({
    event: 'Correct Address',
    order,
    send: (typed: Address, ask) =>
      ask('PUT /m/v2/merchant/{tmk}/orders/{id}/recipient', {
        params: { tmk: merchantKey(), id: order.id },
        body: { ...typed, street_3: recipient.street_3, ...asSeen(seen) },
      }),
    success: 'The address was corrected.',
    failure: 'The address was not corrected.',
    // The label failed because of the address, so the clerk goes on with the label.
    onDone: (changed) => {
      if (!changed || from !== 'labels') return onClose()
      onStep('labels')
      return 'stay'
    },
    onOvertaken(current) {
      const now = allowedActions(current)
      // A courier can be cancelled first, and the text is worth keeping.
      return now.has('correct_address') || now.has('cancel_courier') ? setSeen(current) : 'leave'
    },
    showRefusal: form.showRefusal,
  })
  const correctedTo = (name: Name): string | undefined =>
    [opened[name], form.fields[name], save.variables?.[name].trim()].includes(stored[name])
      ? undefined
      : stored[name]
  const send = (): void => {
    // A clerk who has typed means the press.
    if (!save.isPending && !(isEarly && isUntouched)) save.mutate(form.fields)
  }
  return (
    <FormDialog title="Correct Address" onClose={onClose}>
      <form className={styles.form} {...form.element(send)}>
        <p>
          For {recipientName(order)}. Order <b>#{order.id}</b> keeps the former address in its history.
        </p>
        {refused && (
          <p className={styles.problem}>
            {String(refused['reason'])}{' '}
            <Button look="plain" size="small" onClick={() => onStep('labels')}>
              Buy label to this address
            </Button>
          </p>
        )}
        {fields.map(({ name, label, most, isRequired }) => (
          <TextInput
            key={name}
            label={label}
            maxLength={most}
            required={isRequired}
            data-autofocus={name === wrong || undefined}
            // The focus that the dialog gives: the typed text replaces the wrong one.
            onFocus={({ currentTarget }) => name === wrong && currentTarget.select()}
            {...form.text(name)}
            {...(correctedTo(name) !== undefined && {
              description: `A colleague has changed it to: ${correctedTo(name) || 'nothing'}`,
            })}
          />
        ))}
        <MovedOnNotice order={given} action="correct_address" still={null} isSending={save.isPending} />
        <FormButtons onClose={onClose} isBusy={save.isPending}>
          SAVE
        </FormButtons>
      </form>
    </FormDialog>
  )
}
