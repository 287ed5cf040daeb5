import { Textarea } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '#lib/calls/call.ts'
import { reasonOf } from '#lib/calls/reason-of.ts'
import { useForm } from '#lib/parts/use-form.ts'
import { merchantKey } from '#sign-in/public.ts'
import { FormButtons, FormDialog } from '#ui/dialogs/form-dialog.tsx'
import { toast } from '#ui/notes/toasts.tsx'
import styles from './dialogs.module.css'
import { shopDutiesQuery, type ShopRule } from './queries.ts'

interface Props {
  rule: ShopRule['rule']
  onClose: () => void
}

/** The rule holds for no order of the shop any more; the owner's name and reason stay on record. */
export function SetAsideDialog({ rule, onClose }: Props) {
  const queryClient = useQueryClient()
  const tmk = merchantKey()
  const form = useForm({ reason: '' }, ({ reason }) => ({
    reason: reason.trim() === '' ? 'Please give the reason' : undefined,
  }))
  const save = useMutation({
    mutationFn: (reason: string) =>
      call('PUT /m/v2/merchant/{tmk}/duties/{rule}', {
        params: { tmk, rule: rule.id },
        body: { decision: 'set_aside', reason },
      }),
    onSuccess: (saved) => {
      queryClient.setQueryData(shopDutiesQuery(tmk).queryKey, saved)
      onClose()
    },
    onError: (error) => {
      if (!form.showRefusal(error)) toast('error', 'The rule was not set aside', reasonOf(error))
    },
  })
  return (
    <FormDialog title="Set a rule aside" onClose={onClose}>
      <form {...form.element(() => save.mutate(form.fields.reason.trim()), !save.isPending)}>
        <p className={styles.lead}>
          <b>{rule.id}</b>: {rule.words}
        </p>
        <Textarea label="Reason" rows={3} maxLength={500} data-autofocus {...form.text('reason')} />
        <FormButtons onClose={onClose} isBusy={save.isPending}>
          SET ASIDE
        </FormButtons>
      </form>
    </FormDialog>
  )
}
