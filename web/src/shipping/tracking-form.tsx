import { carriers } from '@cellarhand/contract/carriers'
import { messages } from '@cellarhand/contract/messages'
import { trackingProblems } from '@cellarhand/contract/validation'
import { TextInput } from '@mantine/core'
import { CallError } from '#lib/calls/call.ts'
import { useForm } from '#lib/parts/use-form.ts'
import type { Ask, StepDialogProps } from '#orders/public.ts'
import { MovedOnNotice, useOrderCommand } from '#orders/public.ts'
import { FormButtons, FormDialog } from '#ui/dialogs/form-dialog.tsx'
import { CarrierLogo } from './carrier-logo.tsx'
import styles from './tracking-dialog.module.css'

export interface Tracking {
  tracking_provider: string
  tracking_id: string
  tracking_url: string
  other_tracking_provider: string
}

type Order = StepDialogProps['order']

interface Props {
  title: string
  action: 'save_tracking' | 'correct_tracking'
  order: Order
  initial: Tracking
  send: (fields: ReturnType<typeof wire>, ask: Ask) => Promise<Order>
  onClose: () => void
}

/** Carrier and number, typed for the first time or corrected. */
export function TrackingForm({ title, action, order, initial, send, onClose }: Props) {
  const form = useForm<keyof Tracking>(initial, trackingProblems)
  const { fields } = form
  const save = useOrderCommand({
    event: 'Save Tracking',
    order,
    send: (typed: Tracking, ask) => send(wire(typed), ask),
    success: 'Tracking was saved.',
    failure: messages.trackingFailed,
    onDone: onClose,
    showRefusal: ({ body, fieldErrors, status }) =>
      form.showRefusal(new CallError(status, { ...body, errors: unprefixed(fieldErrors) })),
  })
  const isIncomplete = Object.values(form.problems).includes(messages.trackingFieldsRequired)
  const isOther = fields.tracking_provider === 'OTHER'

  const saveTyped = (): void => {
    if (!save.isPending) save.mutate(fields)
  }
  const errorOf = (field: keyof Tracking): string | boolean => {
    const problem = form.problems[field]
    return problem === messages.trackingFieldsRequired ? true : (problem ?? false)
  }

  return (
    <FormDialog title={title} onClose={onClose}>
      <form className={styles.form} {...form.element(saveTyped)}>
        <fieldset className={styles.carriers} data-invalid={errorOf('tracking_provider') || undefined}>
          <legend>Carrier</legend>
          {carriers.map((carrier) => (
            <label key={carrier}>
              <input
                type="radio"
                name="carrier"
                value={carrier}
                checked={fields.tracking_provider === carrier}
                data-autofocus={carrier === (initial.tracking_provider || carriers[0]) || undefined}
                aria-invalid={errorOf('tracking_provider') !== false}
                onChange={() => form.reset({ ...fields, tracking_provider: carrier })}
              />
              <CarrierLogo carrier={carrier} />
              <span>{carrier}</span>
            </label>
          ))}
        </fieldset>
        {isOther && (
          <TextInput
            label="Carrier name"
            {...form.text('other_tracking_provider')}
            maxLength={100}
            error={errorOf('other_tracking_provider')}
          />
        )}
        <TextInput
          label="Tracking number"
          {...form.text('tracking_id')}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => form.change({ tracking_id: numberOf(event.currentTarget.value) })}
          error={errorOf('tracking_id')}
        />
        {isOther && (
          <TextInput
            label="Tracking URL"
            type="url"
            placeholder="https://"
            {...form.text('tracking_url')}
            error={errorOf('tracking_url')}
          />
        )}
        {isIncomplete && (
          <p role="alert" className={styles.problem}>
            {messages.trackingFieldsRequired}
          </p>
        )}
        <MovedOnNotice order={order} action={action} still={null} isSending={save.isPending} />
        <FormButtons onClose={onClose} isBusy={save.isPending}>
          SAVE
        </FormButtons>
      </form>
    </FormDialog>
  )
}

/** Without the spaces that it is printed with. A number that is too long stays as it was typed, and is said to be. */
function numberOf(typed: string): string {
  return typed.replaceAll(/\s/g, '')
}

function wire({ tracking_provider, tracking_id, tracking_url, other_tracking_provider }: Tracking) {
  const known = { tracking_provider, tracking_id: numberOf(tracking_id) }
  if (tracking_provider !== 'OTHER') return known
  return {
    ...known,
    tracking_url: tracking_url.trim(),
    other_tracking_provider: other_tracking_provider.trim(),
  }
}

/** The server may name a field by its path in the body. */
function unprefixed(errors: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(errors).map(([path, text]) => [path.replace(/^order\./, ''), text]),
  )
}
