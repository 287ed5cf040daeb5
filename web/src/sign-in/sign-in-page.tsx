import { email as emailRule, firstProblem, required } from '@cellarhand/contract/validation'
import { PasswordInput, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { CallError } from '#lib/calls/call.ts'
import { isReached } from '#lib/calls/is-reached.ts'
import { notSentCounts } from '#lib/kept/not-sent.ts'
import { useForm } from '#lib/parts/use-form.ts'
import { Button } from '#ui/blocks/button.tsx'
import { AccountCard } from './two-step/account-card.tsx'
import styles from './two-step/account-card.module.css'
import { accountState } from './session/account-state.ts'
import { session, signIn } from './session/session.ts'
import { isServerTold, tellServer } from './session/tell-server.ts'

const secondStepCodes = new Set(['second_step_required', 'bad_second_step'])

/** For a person who signed out while the server could not be told. */
function SignedOutHere() {
  const { untold } = accountState.use()
  const isTold = isServerTold.use()
  useEffect(() => {
    if (untold) tellServer(untold)
  }, [untold])
  if (!untold && !isTold) return null
  return (
    <p className={styles.lead} role="status">
      <b>You are signed out on this device.</b>{' '}
      {untold
        ? 'Its copy of the orders is gone. The server could not be told yet: leave this page open, and it is told once the connection is back. If you close the page, the session ends there by itself within 12 hours.'
        : 'The server has ended the session too.'}
    </p>
  )
}

const LOOK_MS = 3_000

/** On a page that came from the device: signing in needs the server, and the page says whether it is there. */
function NoLine() {
  const [isAway, setAway] = useState(
    () => document.querySelector('[name=cellarhand-kept][content=away]') !== null,
  )
  useEffect(() => {
    if (!isAway) return
    const look = () => void isReached().then((isThere) => setAway(!isThere))
    look()
    const timer = setInterval(look, LOOK_MS)
    return () => clearInterval(timer)
  }, [isAway])
  if (!isAway) return null
  return (
    <p className={styles.lead} role="status">
      <b>No connection.</b> Signing in needs one. This message goes once the connection is back.
    </p>
  )
}

export function SignInPage() {
  const navigate = useNavigate()
  const { passwordUpdated, linkProblem, left } = accountState.use()
  const [needsCode, setNeedsCode] = useState(false)
  const form = useForm({ email: '', password: '', code: '' }, ({ email, password, code }) => ({
    email: firstProblem(email.trim(), [required('email'), emailRule]),
    password: firstProblem(password, [required('password')]),
    code: needsCode ? firstProblem(code, [required('code')]) : undefined,
  }))
  const attempt = useMutation({
    mutationFn: async ({ email, password, code }: typeof form.fields) => {
      await signIn({ email: email.trim(), password, ...(code.trim() !== '' && { code: code.trim() }) })
      return left
    },
    onError: (error) => {
      const isSecondStep = error instanceof CallError && secondStepCodes.has(error.code)
      setNeedsCode((before) => before || isSecondStep)
    },
    // At a till another person may be next, who has no business on that page.
    onSuccess: (before) =>
      navigate({ to: before && session.get().user?.id === before.by ? before.page : '/', replace: true }),
  })
  // Decisions that wait on this device (`orders/offline`).
  const notSent = Object.values(notSentCounts()).reduce((sum, count) => sum + count, 0)
  return (
    <AccountCard
      title="Sign in to the order desk"
      problem={attempt.isError ? attempt.error.message : (linkProblem ?? undefined)}
      formId={form.id}
      onSubmit={(event) =>
        form.submit(event, () => {
          if (!attempt.isPending) attempt.mutate(form.fields)
        })
      }
    >
      <NoLine />
      <SignedOutHere />
      {left && (
        <p className={styles.lead} role="status">
          <b>Your session has ended.</b> Sign in to go back to where you were.
        </p>
      )}
      {passwordUpdated && (
        <p className={styles.lead}>Please sign in with your new password. The earlier one has ended.</p>
      )}
      {notSent > 0 && (
        <p className={styles.lead}>
          {notSent === 1 ? '1 decision is' : `${notSent} decisions are`} not sent yet. Each is sent once the
          person who made it signs in.
        </p>
      )}
      <TextInput
        label="Email"
        type="email"
        autoComplete="username"
        autoFocus
        size="md"
        {...form.text('email')}
      />
      <PasswordInput
        label="Password"
        autoComplete="current-password"
        size="md"
        {...form.text('password')}
        visibilityToggleButtonProps={{ 'aria-label': 'Show the password', tabIndex: 0 }}
      />
      {needsCode && (
        <TextInput
          label="Code"
          description="From your authenticator app, or one of your recovery codes"
          autoComplete="one-time-code"
          autoFocus
          maxLength={40}
          size="md"
          {...form.text('code')}
        />
      )}
      <Button type="submit" size="large" isBusy={attempt.isPending}>
        Sign In
      </Button>
      <p className={styles.links}>
        <Link to="/forgot">Forgot your password?</Link>
        <Link to="/signup">Create an account</Link>
      </p>
    </AccountCard>
  )
}
