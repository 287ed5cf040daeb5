import type { MerchantRole } from '@cellarhand/contract/permissions'
import { email as emailRule, firstProblem, required } from '@cellarhand/contract/validation'
import { TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '#lib/calls/call.ts'
import { useForm } from '#lib/parts/use-form.ts'
import { merchantKey } from '#sign-in/public.ts'
import { Button } from '#ui/blocks/button.tsx'
import { DialogButtons } from '#ui/dialogs/dialog.tsx'
import { FormDialog } from '#ui/dialogs/form-dialog.tsx'
import formStyles from '#ui/forms/form.module.css'
import { toast } from '#ui/notes/toasts.tsx'
import { teamQuery } from './queries.ts'
import { RoleSelect } from './role-select.tsx'
import styles from './dialogs.module.css'

const empty = { first_name: '', last_name: '', email: '', role: '' }
type Fields = typeof empty

interface Props {
  onInvited: (uuid: string) => void
  onClose: () => void
}

export function InviteDialog({ onInvited, onClose }: Props) {
  const queryClient = useQueryClient()
  const form = useForm(empty, (fields) => ({
    first_name: firstProblem(fields.first_name, [required('first_name')]),
    last_name: firstProblem(fields.last_name, [required('last_name')]),
    email: firstProblem(fields.email.trim(), [required('email'), emailRule]),
    role: fields.role === '' ? 'Please choose a role' : undefined,
  }))
  const invite = useMutation({
    mutationFn: ({ first_name, last_name, email, role }: Fields) =>
      call('POST /c/v2/merchants/{tmk}/users', {
        params: { tmk: merchantKey() },
        body: {
          first_name: first_name.trim(),
          last_name: last_name.trim(),
          email: email.trim(),
          roles: [role as MerchantRole],
        },
      }),
    onSuccess: async ({ id, email }) => {
      toast('success', `An invitation was sent to ${email}.`)
      await queryClient.invalidateQueries(teamQuery(merchantKey()))
      onInvited(id)
      onClose()
    },
    onError: (error) => form.showRefusal(error),
  })
  const isAtField = Object.values(form.problems).some((text) => text !== undefined)
  return (
    <FormDialog title="Invite a user" onClose={onClose}>
      <form
        className={styles.form}
        id={form.id}
        noValidate
        onSubmit={(event) =>
          form.submit(event, () => {
            if (!invite.isPending) invite.mutate(form.fields)
          })
        }
      >
        <div className={formStyles.pair}>
          <TextInput label="First name" data-autofocus maxLength={100} {...form.text('first_name')} />
          <TextInput label="Last name" maxLength={100} {...form.text('last_name')} />
        </div>
        <TextInput
          label="Email"
          type="email"
          description="The invitation goes here, with a link to begin"
          {...form.text('email')}
        />
        <RoleSelect {...form.text('role')} />
        {invite.isError && !isAtField && (
          <p role="alert" className={formStyles.problem}>
            {invite.error.message}
          </p>
        )}
        <DialogButtons>
          <Button look="plain" onClick={onClose} disabled={invite.isPending}>
            CLOSE
          </Button>
          <Button type="submit" isBusy={invite.isPending}>
            INVITE
          </Button>
        </DialogButtons>
      </form>
    </FormDialog>
  )
}
