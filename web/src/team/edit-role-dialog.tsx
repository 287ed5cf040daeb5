import { messages } from '@cellarhand/contract/messages'
import type { MerchantRole } from '@cellarhand/contract/permissions'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { useState } from 'react'
import { call } from '#lib/calls/call.ts'
import { reasonOf } from '#lib/calls/reason-of.ts'
import { merchantKey } from '#sign-in/public.ts'
import { Button } from '#ui/blocks/button.tsx'
import { DialogButtons } from '#ui/dialogs/dialog.tsx'
import { FormDialog } from '#ui/dialogs/form-dialog.tsx'
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
    onSuccess: async () => {
      toast('success', messages.roleUpdated(name))
      await queryClient.invalidateQueries(teamQuery(merchantKey()))
      onClose()
    },
  })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (role !== '' && !save.isPending) save.mutate(role)
  }
  return (
    <FormDialog title={`Edit ${name}`} onClose={onClose}>
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
        <DialogButtons>
          <Button look="plain" onClick={onClose} disabled={save.isPending}>
            CLOSE
          </Button>
          <Button type="submit" disabled={role === ''} isBusy={save.isPending}>
            SAVE
          </Button>
        </DialogButtons>
      </form>
    </FormDialog>
  )
}
