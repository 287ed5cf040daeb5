import { messages } from '@cellarhand/contract/messages'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '#lib/calls/call.ts'
import { reasonOf } from '#lib/calls/reason-of.ts'
import { merchantKey } from '#sign-in/public.ts'
import { Button } from '#ui/blocks/button.tsx'
import { closeOnceDone } from '#ui/dialogs/close-once-done.ts'
import { Dialog, DialogButtons } from '#ui/dialogs/dialog.tsx'
import formStyles from '#ui/forms/form.module.css'
import { toast } from '#ui/notes/toasts.tsx'
import type { Colleague } from './queries.ts'
import { nameOf, teamQuery } from './queries.ts'
import styles from './dialogs.module.css'

interface Props {
  colleague: Colleague
  onRevoked: () => void
  onClose: () => void
}

export function RevokeDialog({ colleague, onRevoked, onClose }: Props) {
  const queryClient = useQueryClient()
  const name = nameOf(colleague)
  const revoke = useMutation({
    mutationFn: () =>
      call('POST /a/v2/users/{id}/data', {
        params: { id: colleague.uuid },
        body: { authorized_merchant: null },
      }),
    onSuccess: () => {
      toast('success', messages.accessRevoked(name))
      onRevoked()
      // The row says so as long as this page is open; the next visit asks anew.
      void queryClient.invalidateQueries({ ...teamQuery(merchantKey()), refetchType: 'none' })
    },
  })
  return (
    <Dialog title={`Revoke ${name}’s access?`} onClose={closeOnceDone(revoke.isPending, onClose)}>
      <div className={styles.form}>
        <p>
          {name} ({colleague.email}) is signed out everywhere and no longer sees this store. You can invite
          them again later.
        </p>
        {revoke.isError && !revoke.isPending && (
          <p role="alert" className={formStyles.problem}>
            <span>{messages.accessNotRevoked(name)}</span> {reasonOf(revoke.error)}
          </p>
        )}
        <DialogButtons>
          <Button look="plain" data-autofocus onClick={onClose} disabled={revoke.isPending}>
            CLOSE
          </Button>
          <Button isBusy={revoke.isPending} onClick={() => revoke.mutate(undefined, { onSuccess: onClose })}>
            {revoke.isError ? 'TRY AGAIN' : 'REVOKE'}
          </Button>
        </DialogButtons>
      </div>
    </Dialog>
  )
}
