import { messages } from '@cellarhand/contract/messages'
import { formatPhone } from '@cellarhand/contract/phone'
import { TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { call, CallError } from '#lib/calls/call.ts'
import { sendOnce } from '#lib/calls/send-once.ts'
import { useForm } from '#lib/parts/use-form.ts'
import type { StepDialogProps } from '#orders/public.ts'
import { FormButtons, FormDialog } from '#ui/dialogs/form-dialog.tsx'
import { toast } from '#ui/notes/toasts.tsx'
import { directionsMessage, maskPhone, phoneToSend } from './directions.ts'
import { firstError } from './first-error.ts'
import styles from './delivery-parts.module.css'

export function SendDirectionsDialog({ order, onClose }: Pick<StepDialogProps, 'order' | 'onClose'>) {
  const message = directionsMessage(order)
  const form = useForm({ number: '' }, ({ number }) => ({
    number: phoneToSend(number) === undefined ? messages.invalidPhone : undefined,
  }))
  const send = useMutation({
    mutationFn: (number: string) =>
      sendOnce(`sms ${number} ${message}`, (once) =>
        call('POST /m/v2/sms', { body: { number, message } }, once),
      ),
    onSuccess: (_, number) => {
      toast('success', messages.directionsSent(formatPhone(number)))
      onClose()
    },
    onError: (error) => form.showRefusal(error),
  })
  const isAtField = send.error instanceof CallError && Object.keys(send.error.fieldErrors).length > 0
  return (
    <FormDialog title="Send Directions to Phone" onClose={onClose}>
      <form
        {...form.element(() => {
          const number = phoneToSend(form.fields.number)
          if (number !== undefined) send.mutate(number)
        }, !send.isPending)}
      >
        <TextInput
          label="Phone number"
          placeholder="(###) ###-####"
          type="tel"
          inputMode="tel"
          autoComplete="off"
          data-autofocus
          size="md"
          {...form.text('number')}
          onChange={(event) => {
            form.change({ number: maskPhone(event.currentTarget.value) })
            send.reset()
          }}
        />
        <p className={styles.quiet}>The phone gets: {message}</p>
        {send.isError && !isAtField && (
          <p role="alert" className={styles.problem}>
            <span>{messages.smsFailed}</span> {firstError(send.error)}
          </p>
        )}
        <FormButtons onClose={onClose} isBusy={send.isPending}>
          SEND
        </FormButtons>
      </form>
    </FormDialog>
  )
}
