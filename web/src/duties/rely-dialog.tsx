import { Textarea } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { call } from '#lib/calls/call.ts'
import { keepSaved } from '#lib/calls/keep-saved.ts'
import { reasonOf } from '#lib/calls/reason-of.ts'
import { useForm } from '#lib/parts/use-form.ts'
import { merchantKey } from '#sign-in/public.ts'
import { closeOnceDone } from '#ui/dialogs/close-once-done.ts'
import { FormButtons, FormDialog } from '#ui/dialogs/form-dialog.tsx'
import { useTold } from '#ui/notes/told.ts'
import styles from './dialogs.module.css'
import { courierChecksQuery, type CourierCheck } from './queries.ts'

interface Props {
  check: CourierCheck
  title: string
  onClose: () => void
}

/** The owner's name, the day and these words stay on record, and each order that goes by them names the owner. */
export function RelyDialog({ check: { service, slug, reliance }, title, onClose }: Props) {
  const queryClient = useQueryClient()
  const tmk = merchantKey()
  const isStart = reliance === null
  const label = isStart ? 'Agreement and its date' : 'Reason'
  const form = useForm({ reason: '' }, ({ reason }) => ({
    reason:
      reason.trim() !== '' ? undefined : isStart ? 'Please name the agreement' : 'Please give the reason',
  }))
  const save = useTold({
    action: `reliance on ${slug}`,
    attempt: (reason: string) =>
      call('PUT /m/v2/merchant/{tmk}/courier_checks/{service}', {
        params: { tmk, service: slug },
        body: { is_relied_on: isStart, reason },
      }),
    onSuccess: (saved) => keepSaved(queryClient, courierChecksQuery(tmk), saved),
    failure: (error) =>
      form.showRefusal(error) ? undefined : ['The decision was not saved', reasonOf(error)],
  })
  return (
    <FormDialog title={title} onClose={closeOnceDone(save.isPending, onClose)}>
      <form
        {...form.element(
          () => save.mutate(form.fields.reason.trim(), { onSuccess: onClose }),
          !save.isPending,
        )}
      >
        <p className={styles.lead}>
          {isStart
            ? `${service} sends no result of its ID check. Rely on it if your agreement with ${service} makes it check. The licence stays the shop’s: an inspector reads that no result was sent, and your name.`
            : `From now on, each delivery by ${service} without a result needs a look again.`}
        </p>
        <Textarea label={label} rows={3} maxLength={500} data-autofocus {...form.text('reason')} />
        <FormButtons onClose={onClose} isBusy={save.isPending}>
          {isStart ? 'RELY ON IT' : 'STOP RELYING'}
        </FormButtons>
      </form>
    </FormDialog>
  )
}
