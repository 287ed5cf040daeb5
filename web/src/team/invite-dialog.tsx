import type { MerchantRole } from '@cellarhand/contract/permissions'
import { email as emailRule, firstProblem, required } from '@cellarhand/contract/validation'
import { TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '#lib/calls/call.ts'
import { useForm } from '#lib/parts/use-form.ts'
import { merchantKey } from '#sign-in/public.ts'
import { closeOnceDone } from '#ui/dialogs/close-once-done.ts'
import { FormButtons, FormDialog } from '#ui/dialogs/form-dialog.tsx'
import formStyles from '#ui/forms/form.module.css'
import { toast } from '#ui/notes/toasts.tsx'
import { teamQuery } from './queries.ts'
import { RoleSelect } from './role-select.tsx'
import styles from './dialogs.module.css'

/** A role with the least rights, unless the owner chooses another. */
const empty = { first_name: '', last_name: '', email: '', role: 'merch.user' }
type Fields = typeof empty

interface Props {
  onInvited: (uuid: string) => void
  onClose: () => void
}

/** The parts of an address as mail programs write it: Rosa Vine <rosa@example.test>. */
function partsOf(text: string): Pick<Fields, 'first_name' | 'last_name' | 'email'> | undefined {
  const [names = '', email = ''] = text.split('<')
  if (!email.includes('@') || !email.trimEnd().endsWith('>')) return undefined
  const [firstName = '', ...lastNames] = names.replaceAll('"', '').trim().split(' ')
  return {
    first_name: firstName,
    last_name: lastNames.join(' ').trim(),
    email: email.trimEnd().slice(0, -1),
  }
}

export function InviteDialog({ onInvited, onClose }: Props) {
  const queryClient = useQueryClient()
  const form = useForm(empty, (fields) => ({
    first_name: firstProblem(fields.first_name, [required('first_name')]),
    last_name: firstProblem(fields.last_name, [required('last_name')]),
    email: firstProblem(fields.email.trim(), [required('email'), emailRule]),
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
    onSuccess: ({ id, email }) => {
      onInvited(id)
      toast('success', `An invitation was sent to ${email}.`)
      void queryClient.invalidateQueries(teamQuery(merchantKey()))
    },
    onError: (error) => form.showRefusal(error),
  })
  // The person may have gone to another page meanwhile, which nothing closes.
  const send = (): void => invite.mutate(form.fields, { onSuccess: onClose })
  const first = form.text('first_name')
  const isAtField = Object.values(form.problems).some((text) => text !== undefined)
  return (
    <FormDialog title="Invite a user" onClose={closeOnceDone(invite.isPending, onClose)}>
      <form className={styles.form} {...form.element(send, !invite.isPending)}>
        <div className={formStyles.pair}>
          <TextInput
            label="First name"
            data-autofocus
            maxLength={300}
            {...first}
            onChange={(event) => {
              const address = partsOf(event.currentTarget.value)
              if (address) form.change(address)
              else first.onChange(event)
            }}
          />
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
        <FormButtons onClose={onClose} isBusy={invite.isPending}>
          INVITE
        </FormButtons>
      </form>
    </FormDialog>
  )
}
