import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { call, CallError } from '#lib/calls/call.ts'
import { keepSaved } from '#lib/calls/keep-saved.ts'
import { merchantKey } from '#sign-in/public.ts'
import { Button } from '#ui/blocks/button.tsx'
import { closeOnceDone } from '#ui/dialogs/close-once-done.ts'
import { Dialog, DialogButtons } from '#ui/dialogs/dialog.tsx'
import formStyles from '#ui/forms/form.module.css'
import { toast } from '#ui/notes/toasts.tsx'
import { requirementQuery } from './queries.ts'
import { requireTitle } from './require-title.ts'
import styles from './dialogs.module.css'

interface Props {
  /** The present setting; the dialog switches to the other. */
  isRequired: boolean
  onClose: () => void
}

export function RequireDialog({ isRequired, onClose }: Props) {
  const queryClient = useQueryClient()
  const save = useMutation({
    mutationFn: () =>
      call('POST /c/v2/merchants/{tmk}/two_step', {
        params: { tmk: merchantKey() },
        body: { is_required: !isRequired },
      }),
    onSuccess: async (saved) => {
      await keepSaved(queryClient, requirementQuery(merchantKey()), saved)
      toast(
        'success',
        saved.is_required ? 'Two-step sign-in is required now.' : 'It is not required any more.',
      )
    },
  })
  const isOwnMissing = save.error instanceof CallError && save.error.code === 'two_step_off'
  return (
    <Dialog title={requireTitle(isRequired)} onClose={closeOnceDone(save.isPending, onClose)}>
      <div className={styles.form}>
        {isRequired ? (
          <p>Who has set it up keeps it, and may then turn it off in their profile.</p>
        ) : (
          <p>
            Whoever has not set it up yet is asked to at once, also in the middle of their work, and can do
            nothing else here before. They need a phone with an authenticator app.
          </p>
        )}
        {save.isError && (
          <p role="alert" className={formStyles.problem}>
            {save.error.message} {isOwnMissing && <Link to="/settings/profile">Go to your profile</Link>}
          </p>
        )}
        <DialogButtons>
          <Button look="plain" onClick={onClose} disabled={save.isPending}>
            Cancel
          </Button>
          <Button isBusy={save.isPending} onClick={() => save.mutate(undefined, { onSuccess: onClose })}>
            {isRequired ? 'No Longer Require It' : 'Require It'}
          </Button>
        </DialogButtons>
      </div>
    </Dialog>
  )
}
