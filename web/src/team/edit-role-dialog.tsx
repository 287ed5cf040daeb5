import { messages } from '@cellarhand/contract/messages'
import type { MerchantRole } from '@cellarhand/contract/permissions'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { useState } from 'react'
import { call } from '#lib/calls/call.ts'
import { keepSaved } from '#lib/calls/keep-saved.ts'
import { reasonOf } from '#lib/calls/reason-of.ts'
import { merchantKey } from '#sign-in/public.ts'
import { closeOnceDone } from '#ui/dialogs/close-once-done.ts'
import { FormButtons, FormDialog } from '#ui/dialogs/form-dialog.tsx'
import formStyles from '#ui/forms/form.module.css'
import { toast } from '#ui/notes/toasts.tsx'
import type { Colleague } from './queries.ts'
import { nameOf, rolesOf, rolesQuery, teamQuery } from './queries.ts'
import { RoleSelect } from './role-select.tsx'
import styles from './dialogs.module.css'

interface Props {
  colleague: Colleague
  onClose: () => void
}

export function EditRoleDialog({ colleague, onClose }: Props) {
  const queryClient = useQueryClient()
  const [role, setRole] = useState<MerchantRole | ''>('')
  const name = nameOf(colleague)
  const roles = useQuery(rolesQuery(colleague.uuid))
  const save = useMutation({
    mutationFn: (chosen: MerchantRole) =>
      call('POST /a/v2/users/{id}/roles', { params: { id: colleague.uuid }, body: { roles: [chosen] } }),
    onSuccess: async (saved) => {
      toast('success', messages.roleUpdated(name))
      await keepSaved(queryClient, rolesQuery(colleague.uuid), saved)
      const team = teamQuery(merchantKey())
      await keepSaved(
        queryClient,
        team,
        (before) =>
          before && {
            ...before,
            items: before.items.map((each) =>
              each.uuid === colleague.uuid ? { ...each, roles: saved.roles } : each,
            ),
          },
      )
      void queryClient.invalidateQueries(team)
    },
  })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (role !== '' && !save.isPending) save.mutate(role, { onSuccess: onClose })
  }
  return (
    <FormDialog title={`Edit ${name}`} onClose={closeOnceDone(save.isPending, onClose)}>
      <form className={styles.form} onSubmit={submit} noValidate>
        <p>
          Has the role <b>{rolesOf(roles.data ?? colleague)}</b> now.
        </p>
        {roles.isError && <p>Whether that has changed since could not be looked up. {roles.error.message}</p>}
        <RoleSelect
          name="role"
          value={role}
          onChange={(event) => {
            setRole(event.currentTarget.value as MerchantRole)
            save.reset()
          }}
        />
        {save.isError && (
          <p role="alert" className={formStyles.problem}>
            <span>{messages.roleNotUpdated(name)}</span> {reasonOf(save.error)}
          </p>
        )}
        <FormButtons onClose={onClose} isBusy={save.isPending} isDisabled={role === ''}>
          SAVE
        </FormButtons>
      </form>
    </FormDialog>
  )
}
