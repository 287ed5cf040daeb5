import { messages } from '@cellarhand/contract/messages'
import { email as emailRule, firstProblem, required } from '@cellarhand/contract/validation'
import { TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { call, CallError } from '#lib/calls/call.ts'
import { useForm } from '#lib/parts/use-form.ts'
import { Button } from '#ui/blocks/button.tsx'
import { toast } from '#ui/notes/toasts.tsx'
import { AccountCard } from './two-step/account-card.tsx'
import styles from './two-step/account-card.module.css'
import { accountState, clearResetState, note } from './session/account-state.ts'

function askForLink(email: string) {
  return call('POST /a/v2/accounts/password_token', { body: { email } }, { auth: 'app' })
}

export function ForgotPage() {
  const sent = accountState.use().emailSent
  useEffect(clearResetState, [])
  return sent === null ? <ResetRequest /> : <InstructionsSent email={sent.email} />
}

function ResetRequest() {
  const form = useForm({ email: '' }, ({ email }) => ({
    email: firstProblem(email.trim(), [required('email'), emailRule]),
  }))
  const ask = useMutation({
    mutationFn: askForLink,
    onSuccess: (_, email) => note({ emailSent: { email, isResend: false } }),
    onError: (error) => {
      if (isUnknown(error)) form.showProblems({ email: messages.emailUnknown })
      else form.showRefusal(error)
    },
  })
  const isAtField = form.problems.email !== undefined
  return (
    <AccountCard
      title="Reset Password"
      problem={ask.isError && !isAtField ? ask.error.message : undefined}
      formId={form.id}
      onSubmit={(event) =>
        form.submit(event, () => {
          if (!ask.isPending) ask.mutate(form.fields.email.trim())
        })
      }
    >
      <p className={styles.lead}>We will e-mail you a link with which you can set a new password.</p>
      <TextInput
        label="Email"
        type="email"
        autoComplete="username"
        autoFocus
        size="md"
        {...form.text('email')}
      />
      <Button type="submit" size="large" isBusy={ask.isPending}>
        Send Instructions
      </Button>
      <p>
        <Link to="/login">Back to sign-in</Link>
      </p>
    </AccountCard>
  )
}

function isUnknown(error: unknown): boolean {
  return error instanceof CallError && error.code === 'email_unknown'
}

function InstructionsSent({ email }: { email: string }) {
  const lead = useRef<HTMLDivElement>(null)
  useEffect(() => lead.current?.focus(), [])
  const resend = useMutation({
    mutationFn: askForLink,
    onSuccess: () => {
      note({ emailSent: { email, isResend: true } })
      toast('success', `Instructions were sent to ${email} again. Only the newest link works.`)
    },
  })
  return (
    <AccountCard
      title="Instructions Sent"
      problem={resend.isError ? resend.error.message : undefined}
      onSubmit={(event) => {
        event.preventDefault()
        if (!resend.isPending) resend.mutate(email)
      }}
    >
      <div className={styles.sent} ref={lead} tabIndex={-1}>
        <p>
          We sent a link to <b>{email}</b>. It works once and for 60 minutes.
        </p>
        <p className={styles.lead}>
          The e-mail may take up to 15 minutes to arrive. Please look into the spam folder too.
        </p>
      </div>
      <Button type="submit" size="large" look="plain" isBusy={resend.isPending}>
        Resend
      </Button>
      <p>
        <Link to="/login">Back to sign-in</Link>
      </p>
    </AccountCard>
  )
}
