import { messages } from '@cellarhand/contract/messages'
import { firstProblem, password as passwordRule, required } from '@cellarhand/contract/validation'
import { PasswordInput } from '@mantine/core'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { useEffect } from 'react'
import { call, CallError } from '#lib/calls/call.ts'
import { storedToken } from '#lib/kept/stored-session.ts'
import { useForm } from '#lib/parts/use-form.ts'
import { Button } from '#ui/blocks/button.tsx'
import { toast } from '#ui/notes/toasts.tsx'
import { useTold } from '#ui/notes/told.ts'
import { AccountCard } from './two-step/account-card.tsx'
import { clearResetState, note } from './session/account-state.ts'
import { signOut } from './session/sign-out.ts'

export function ResetPasswordPage() {
  const { token } = useParams({ from: '/forgot/password-reset/$token' })
  const navigate = useNavigate()
  const form = useForm({ new_password: '' }, ({ new_password }) => ({
    new_password: firstProblem(new_password, [required('new_password'), passwordRule]),
  }))
  useEffect(clearResetState, [])
  const reset = useTold({
    action: 'password reset',
    attempt: (new_password: string) =>
      call('POST /a/v2/accounts/password', { body: { new_password, reset_token: token } }, { auth: 'app' }),
    onSuccess: async () => {
      note({ passwordUpdated: true })
      // The old password's session ends here; otherwise /login would lead its user past the form.
      if (storedToken() !== null) await signOut()
      toast('success', messages.resetSucceeded)
      void navigate({ to: '/login', replace: true })
    },
    failure: (error) => (hasMoved(error) ? undefined : [serverText(error) ?? messages.resetFailedToast]),
    onError: (error) => form.showRefusal(error),
  })
  return (
    <AccountCard
      title="Enter a New Password"
      problem={
        reset.isError ? (hasMoved(reset.error) ? reset.error.message : messages.resetFailed) : undefined
      }
      formId={form.id}
      onSubmit={(event) =>
        form.submit(event, () => {
          if (!reset.isPending) reset.mutate(form.fields.new_password)
        })
      }
    >
      <PasswordInput
        label="New password"
        description="At least 10 characters"
        autoComplete="new-password"
        autoFocus
        size="md"
        {...form.text('new_password')}
        visibilityToggleButtonProps={{ 'aria-label': 'Show the password', tabIndex: 0 }}
      />
      <Button type="submit" size="large" isBusy={reset.isPending}>
        Update Password
      </Button>
      <p>
        <Link to="/forgot">Ask for a new link</Link>
      </p>
    </AccountCard>
  )
}

/** Its words hold the link's new address, which a toast would take away. */
function hasMoved(error: unknown): boolean {
  return error instanceof CallError && error.code === 'merchant_moved_away'
}

function serverText(error: unknown): string | undefined {
  const text = error instanceof CallError ? error.body['message'] : undefined
  return typeof text === 'string' && text !== '' ? text : undefined
}
