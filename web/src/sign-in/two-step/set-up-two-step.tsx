import { firstProblem, maxPasswordLength, required } from '@cellarhand/contract/validation'
import { PasswordInput, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Reply } from '#lib/calls/call.ts'
import { call } from '#lib/calls/call.ts'
import { useForm } from '#lib/parts/use-form.ts'
import { Button } from '#ui/blocks/button.tsx'
import { DialogButtons } from '#ui/dialogs/dialog.tsx'
import { QrCode } from './qr-code.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'
import { twoStepQuery } from './two-step-query.ts'
import styles from './two-step.module.css'

interface Props {
  userId: string
  /** Called when the second step is on, before the codes are written down. */
  onOn?: () => void
  onDone: () => void
}

type Started = Reply<'POST /a/v2/users/{id}/two_step'>

/** Password, then the app's first code, then the recovery codes. Nothing takes effect before a right code. */
export function SetUpTwoStep({ userId, onOn, onDone }: Props) {
  const [started, setStarted] = useState<Started | null>(null)
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  if (codes !== null) return <RecoveryCodes codes={codes} onKept={onDone} />
  if (started === null) return <AskPassword userId={userId} onStarted={setStarted} />
  return (
    <AskCode
      userId={userId}
      started={started}
      onConfirmed={(given) => {
        setCodes(given)
        onOn?.()
      }}
    />
  )
}

function AskPassword({ userId, onStarted }: { userId: string; onStarted: (started: Started) => void }) {
  const form = useForm({ password: '' }, ({ password }) => ({
    password: firstProblem(password, [required('current_password')]),
  }))
  const start = useMutation({
    mutationFn: (password: string) =>
      call('POST /a/v2/users/{id}/two_step', { params: { id: userId }, body: { password } }),
    onSuccess: onStarted,
    onError: (error) => form.showRefusal(error),
  })
  return (
    <form
      className={styles.step}
      {...form.element(() => start.mutate(form.fields.password), !start.isPending)}
    >
      <p>
        After your password you will be asked for a code from an authenticator app on your phone. A stolen
        password alone then opens nothing.
      </p>
      <PasswordInput
        label="Current password"
        autoComplete="current-password"
        maxLength={maxPasswordLength}
        data-autofocus
        {...form.text('password')}
        visibilityToggleButtonProps={{ 'aria-label': 'Show the current password', tabIndex: 0 }}
      />
      {start.isError && form.problems.password === undefined && (
        <p role="alert" className={styles.problem}>
          {start.error.message}
        </p>
      )}
      <DialogButtons>
        <Button type="submit" isBusy={start.isPending}>
          Continue
        </Button>
      </DialogButtons>
    </form>
  )
}

interface CodeProps {
  userId: string
  started: Started
  onConfirmed: (codes: readonly string[]) => void
}

function AskCode({ userId, started, onConfirmed }: CodeProps) {
  const queryClient = useQueryClient()
  const form = useForm({ code: '' }, ({ code }) => ({ code: firstProblem(code, [required('code')]) }))
  const confirm = useMutation({
    mutationFn: (code: string) =>
      call('POST /a/v2/users/{id}/two_step/confirmation', {
        params: { id: userId },
        body: { code: code.trim() },
      }),
    onSuccess: ({ recovery_codes }) => onConfirmed(recovery_codes),
    onError: (error) => form.showRefusal(error),
    onSettled: () => queryClient.invalidateQueries(twoStepQuery(userId)),
  })
  return (
    <form
      className={styles.step}
      {...form.element(() => confirm.mutate(form.fields.code), !confirm.isPending)}
    >
      <div className={styles.scan}>
        <QrCode text={started.otpauth_url} label="QR code for your authenticator app" />
        <div className={styles.step}>
          <p>Scan this with your authenticator app, or type the key into it:</p>
          <p className={styles.secret}>{started.secret.match(/.{1,4}/g)?.join(' ')}</p>
          <p>
            <a href={started.otpauth_url}>Open the app on this device</a>
          </p>
        </div>
      </div>
      <TextInput
        label="Code"
        description="The six digits that the app shows now"
        autoComplete="one-time-code"
        inputMode="numeric"
        maxLength={12}
        autoFocus
        {...form.text('code')}
      />
      {confirm.isError && form.problems.code === undefined && (
        <p role="alert" className={styles.problem}>
          {confirm.error.message}
        </p>
      )}
      <DialogButtons>
        <Button type="submit" isBusy={confirm.isPending}>
          Turn On
        </Button>
      </DialogButtons>
    </form>
  )
}
