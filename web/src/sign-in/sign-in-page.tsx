import { email as emailRule, firstProblem, required } from '@cellarhand/contract/validation'
import { PasswordInput, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useForm } from '#lib/use-form.ts'
import { Button } from '#ui/button.tsx'
import { AccountCard } from './account-card.tsx'
import styles from './account-card.module.css'
import { signIn } from './session.ts'

export function SignInPage() {
  const navigate = useNavigate()
  const form = useForm({ email: '', password: '' }, ({ email, password }) => ({
    email: firstProblem(email.trim(), [required('email'), emailRule]),
    password: firstProblem(password, [required('password')]),
  }))
  const attempt = useMutation({
    mutationFn: () => signIn(form.fields.email.trim(), form.fields.password),
    onSuccess: () => navigate({ to: '/', replace: true }),
  })
  return (
    <AccountCard
      title="Sign in to the order desk"
      problem={attempt.isError ? attempt.error.message : undefined}
      formId={form.id}
      onSubmit={(event) =>
        form.submit(event, () => {
          if (!attempt.isPending) attempt.mutate()
        })
      }
    >
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
