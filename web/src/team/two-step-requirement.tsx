import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { lazyPart } from '#lib/parts/lazy-part.ts'
import { merchantKey } from '#sign-in/public.ts'
import { Block } from '#ui/blocks/block.tsx'
import { Button } from '#ui/blocks/button.tsx'
import { DialogPart } from '#ui/dialogs/dialog.tsx'
import { FailedNote } from '#ui/notes/notes.tsx'
import { requirementQuery } from './queries.ts'
import { requireTitle } from './require-title.ts'
import styles from './users-page.module.css'

const RequireDialog = lazyPart(() => import('./require-dialog.tsx'), 'RequireDialog')

/** Whether everybody of the merchant must sign in in two steps; an owner decides. */
export function TwoStepRequirement({ mayEdit }: { mayEdit: boolean }) {
  // The setting that the person decided to change: the dialog never turns round under the hand.
  const [changed, setChanged] = useState<boolean>()
  const close = (): void => setChanged(undefined)
  const requirement = useQuery({ ...requirementQuery(merchantKey()), retryOnMount: false })
  if (requirement.isPending) return null
  if (requirement.isError)
    return (
      <FailedNote
        text="Whether two-step sign-in is required could not be loaded."
        onRetry={() => void requirement.refetch()}
      />
    )
  const isRequired = requirement.data.is_required
  return (
    <Block title="Two-step sign-in">
      <div className={styles.requirement}>
        <p>
          {isRequired ? (
            <>
              <b>Required.</b> Everybody signs in with a code of their authenticator app as well.
            </>
          ) : (
            <>
              <b>Not required.</b> Each user may turn it on in their profile.
            </>
          )}
        </p>
        {mayEdit && (
          <Button
            look="plain"
            onClick={() => setChanged(isRequired)}
            onFocus={RequireDialog.preload}
            onPointerEnter={RequireDialog.preload}
          >
            {isRequired ? 'No Longer Require It' : 'Require It'}
          </Button>
        )}
      </div>
      {changed !== undefined && (
        <DialogPart title={requireTitle(changed)} onClose={close}>
          <RequireDialog isRequired={changed} onClose={close} />
        </DialogPart>
      )}
    </Block>
  )
}
