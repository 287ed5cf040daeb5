import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { lazyPart } from '#lib/parts/lazy-part.ts'
import { twoStepQuery } from '#sign-in/public.ts'
import { Block } from '#ui/blocks/block.tsx'
import { Button } from '#ui/blocks/button.tsx'
import { DialogPart } from '#ui/dialogs/dialog.tsx'
import { FailedNote } from '#ui/notes/notes.tsx'
import { Spinner } from '#ui/blocks/spinner.tsx'
import { sessionsQuery } from './queries.ts'
import styles from './sessions-card.module.css'
import { twoStepTitles, type TwoStepTask } from './two-step-tasks.ts'

const TwoStepDialog = lazyPart(() => import('./two-step-dialog.tsx'), 'TwoStepDialog')

const fewCodes = 3

/** Whether signing in needs a code beside the password, and the actions on that. */
export function TwoStepCard({ userId }: { userId: string }) {
  const queryClient = useQueryClient()
  const state = useQuery(twoStepQuery(userId))
  const [task, setTask] = useState<TwoStepTask | null>(null)
  const close = (): void => {
    setTask(null)
    void queryClient.invalidateQueries(twoStepQuery(userId))
    void queryClient.invalidateQueries(sessionsQuery(userId))
  }
  const open = (next: TwoStepTask) => ({
    onClick: () => setTask(next),
    onFocus: TwoStepDialog.preload,
    onPointerEnter: TwoStepDialog.preload,
  })
  return (
    <Block title="Two-step sign-in">
      <div className={styles.body}>
        {state.isPending && <Spinner label="Loading two-step sign-in" />}
        {state.isError && (
          <FailedNote text="Whether it is on could not be loaded." onRetry={() => void state.refetch()} />
        )}
        {state.data && !state.data.is_on && (
          <>
            <p>
              <b>Off.</b> Your password is all that it takes to sign in as you.
            </p>
            <Button look="plain" {...open('set-up')}>
              Set Up
            </Button>
          </>
        )}
        {state.data?.is_on && (
          <>
            <p>
              <b>On.</b> Signing in takes your password and a code of your authenticator app.
              {state.data.is_required &&
                ' Your merchant requires it of everybody, so it cannot be turned off.'}
            </p>
            <p className={styles.soft}>{codesLeft(state.data.recovery_codes_left)}</p>
            <div className={styles.actions}>
              <Button look="plain" {...open('new-codes')}>
                New Recovery Codes
              </Button>
              {!state.data.is_required && (
                <Button look="plain" {...open('turn-off')}>
                  Turn Off
                </Button>
              )}
            </div>
          </>
        )}
      </div>
      {task && (
        <DialogPart title={twoStepTitles[task]} onClose={close}>
          <TwoStepDialog userId={userId} task={task} onClose={close} />
        </DialogPart>
      )}
    </Block>
  )
}

function codesLeft(count: number): string {
  const left = count === 1 ? '1 recovery code is left.' : `${count || 'No'} recovery codes are left.`
  return count < fewCodes ? `${left} Please make new ones.` : left
}
