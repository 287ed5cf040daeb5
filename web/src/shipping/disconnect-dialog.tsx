import { messages } from '@cellarhand/contract/messages'
import { useMutation } from '@tanstack/react-query'
import { call } from '#lib/calls/call.ts'
import { merchantKey } from '#sign-in/public.ts'
import { Button } from '#ui/blocks/button.tsx'
import { closeOnceDone } from '#ui/dialogs/close-once-done.ts'
import { Dialog, DialogButtons } from '#ui/dialogs/dialog.tsx'
import formStyles from '#ui/forms/form.module.css'
import styles from './label-dialog.module.css'

export function DisconnectDialog({
  onDisconnected,
  onClose,
}: {
  onDisconnected: () => void
  onClose: () => void
}) {
  const disconnect = useMutation({
    mutationFn: () =>
      call('DELETE /c/v2/merchants/{tmk}/carrier_integration', { params: { tmk: merchantKey() } }),
    onSuccess: onDisconnected,
  })
  return (
    <Dialog title="Disconnect the carrier account?" onClose={closeOnceDone(disconnect.isPending, onClose)}>
      <div className={styles.form}>
        <p>No labels can be bought until an account is connected again. Labels that were bought stay good.</p>
        {disconnect.isError && (
          <p role="alert" className={formStyles.problem}>
            {messages.carrierNotSaved}
          </p>
        )}
        <DialogButtons>
          <Button look="plain" data-autofocus onClick={onClose} disabled={disconnect.isPending}>
            CLOSE
          </Button>
          <Button
            isBusy={disconnect.isPending}
            onClick={() => disconnect.mutate(undefined, { onSuccess: onClose })}
          >
            DISCONNECT
          </Button>
        </DialogButtons>
      </div>
    </Dialog>
  )
}
