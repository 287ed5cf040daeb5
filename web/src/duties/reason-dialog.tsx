import { Textarea } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { reasonOf } from '#lib/calls/reason-of.ts'
import { useForm } from '#lib/parts/use-form.ts'
import { merchantKey } from '#sign-in/public.ts'
import { closeOnceDone } from '#ui/dialogs/close-once-done.ts'
import { FormButtons, FormDialog } from '#ui/dialogs/form-dialog.tsx'
import { useTold } from '#ui/notes/told.ts'
import styles from './dialogs.module.css'
import { keepDecisions, type ShopDuties } from './queries.ts'

interface Props {
  title: string
  lead: ReactNode
  /** The words of the button that sends it. */
  button: string
  /** The name of what it does: the failure of an earlier try goes with it. */
  action: string
  /** The title of the note when it fails. */
  failure: string
  send: (reason: string) => Promise<ShopDuties>
  onClose: () => void
}

/** A decision of an owner that makes the rules milder; name and reason stay on record. */
export function ReasonDialog({ title, lead, button, action, failure, send, onClose }: Props) {
  const queryClient = useQueryClient()
  const form = useForm({ reason: '' }, ({ reason }) => ({
    reason: reason.trim() === '' ? 'Please give the reason' : undefined,
  }))
  const save = useTold({
    action,
    attempt: send,
    onSuccess: (saved) => keepDecisions(queryClient, merchantKey(), saved),
    failure: (error) => (form.showRefusal(error) ? undefined : [failure, reasonOf(error)]),
  })
  return (
    <FormDialog title={title} onClose={closeOnceDone(save.isPending, onClose)}>
      <form
        {...form.element(
          () => save.mutate(form.fields.reason.trim(), { onSuccess: onClose }),
          !save.isPending,
        )}
      >
        <p className={styles.lead}>{lead}</p>
        <Textarea label="Reason" rows={3} maxLength={500} data-autofocus {...form.text('reason')} />
        <FormButtons onClose={onClose} isBusy={save.isPending}>
          {button}
        </FormButtons>
      </form>
    </FormDialog>
  )
}
