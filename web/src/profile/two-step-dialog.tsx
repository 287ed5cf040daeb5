import { firstProblem, maxPasswordLength, required } from '@cellarhand/contract/validation'
import { PasswordInput, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { call } from '#lib/calls/call.ts'
import { keepSaved } from '#lib/calls/keep-saved.ts'
import { useForm } from '#lib/parts/use-form.ts'
import { RecoveryCodes, SetUpTwoStep, twoStepQuery } from '#sign-in/public.ts'
import { Button } from '#ui/blocks/button.tsx'
import { DialogButtons } from '#ui/dialogs/dialog.tsx'
import { FormDialog } from '#ui/dialogs/form-dialog.tsx'
import formStyles from '#ui/forms/form.module.css'
import { Spinner } from '#ui/blocks/spinner.tsx'
import { toast } from '#ui/notes/toasts.tsx'
import styles from './sessions-card.module.css'
import { twoStepTitles, type TwoStepTask } from './two-step-tasks.ts'

interface Props {
  userId: string
  task: TwoStepTask
  onClose: () => void
}

export function TwoStepDialog({ userId, task, onClose }: Props) {
  const queryClient = useQueryClient()
  const askAgain = (): void => void queryClient.invalidateQueries(twoStepQuery(userId))
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  const [isShowingCodes, setShowingCodes] = useState(false)
  const [hasWarned, setWarned] = useState(false)
  const close = (): void => {
    if (isShowingCodes && !hasWarned) setWarned(true)
    else onClose()
  }
  const kept = (text: string) => (): void => {
    toast('success', text)
    onClose()
  }
  return (
    <FormDialog title={twoStepTitles[task]} onClose={close} size={520}>
      {hasWarned && (
        <p role="alert" className={formStyles.problem}>
          Have you kept the codes? They are not shown again.
        </p>
      )}
      <Suspense fallback={<Spinner label="Loading" />}>
        {task === 'set-up' && (
          <SetUpTwoStep
            userId={userId}
            onOn={() => {
              setShowingCodes(true)
              askAgain()
            }}
            onDone={kept('Two-step sign-in is on.')}
          />
        )}
        {task === 'new-codes' && codes && (
          <RecoveryCodes codes={codes} onKept={kept('The earlier recovery codes have ended.')} />
        )}
      </Suspense>
      {task === 'new-codes' && !codes && (
        <ProofForm
          text="The codes that you have now end."
          action="Make New Codes"
          send={(proof) =>
            call('POST /a/v2/users/{id}/two_step/recovery_codes', { params: { id: userId }, body: proof })
          }
          onDone={({ recovery_codes }) => {
            setCodes(recovery_codes)
            setShowingCodes(true)
            askAgain()
          }}
        />
      )}
      {task === 'turn-off' && (
        <ProofForm
          text="Your password alone will sign you in then, and your recovery codes end."
          action="Turn Off"
          send={(proof) =>
            call('POST /a/v2/users/{id}/two_step/removal', { params: { id: userId }, body: proof })
          }
          onDone={async () => {
            await keepSaved(
              queryClient,
              twoStepQuery(userId),
              (before) => before && { ...before, is_on: false, recovery_codes_left: 0 },
            )
            kept('Two-step sign-in is off.')()
          }}
        />
      )}
    </FormDialog>
  )
}

interface ProofProps<R> {
  text: string
  action: string
  send: (proof: { password: string; code: string }) => Promise<R>
  onDone: (reply: R) => void
}

/** Asks for password and code again, because an open desk may not be in its owner's hands. */
function ProofForm<R>({ text, action, send, onDone }: ProofProps<R>) {
  const form = useForm({ password: '', code: '' }, ({ password, code }) => ({
    password: firstProblem(password, [required('current_password')]),
    code: firstProblem(code, [required('code')]),
  }))
  const attempt = useMutation({
    mutationFn: ({ password, code }: typeof form.fields) => send({ password, code: code.trim() }),
    onSuccess: onDone,
    onError: (error) => form.showRefusal(error),
  })
  const isAtField = Object.values(form.problems).some((problem) => problem !== undefined)
  return (
    <form className={styles.proof} {...form.element(() => attempt.mutate(form.fields), !attempt.isPending)}>
      <p>{text}</p>
      <PasswordInput
        label="Current password"
        autoComplete="current-password"
        maxLength={maxPasswordLength}
        data-autofocus
        {...form.text('password')}
        visibilityToggleButtonProps={{ 'aria-label': 'Show the current password', tabIndex: 0 }}
      />
      <TextInput
        label="Code"
        description="From your authenticator app, or one of your recovery codes"
        autoComplete="one-time-code"
        maxLength={40}
        {...form.text('code')}
      />
      {attempt.isError && !isAtField && (
        <p role="alert" className={formStyles.problem}>
          {attempt.error.message}
        </p>
      )}
      <DialogButtons>
        <Button type="submit" isBusy={attempt.isPending}>
          {action}
        </Button>
      </DialogButtons>
    </form>
  )
}
