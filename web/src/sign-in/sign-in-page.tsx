import { email as emailRule, firstProblem, required } from '@cellarhand/contract/validation'
import { PasswordInput, TextInput } from '@mantine/core'
import IconAlertCircle from '@tabler/icons-react/dist/esm/icons/IconAlertCircle.mjs'
import { useNavigate } from '@tanstack/react-router'
import { useMutation } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { Button } from '#ui/button.tsx'
import { Logo } from '#ui/logo.tsx'
import { MantineRoot } from '#ui/mantine-root.tsx'
import { signIn } from './session.ts'
import styles from './sign-in-page.module.css'

interface Problems {
  email?: string | undefined
  password?: string | undefined
}

export function SignInPage() {
  const navigate = useNavigate()
  const form = useRef<HTMLFormElement>(null)
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [problems, setProblems] = useState<Problems>({})
  const attempt = useMutation({
    mutationFn: () => signIn(email.trim(), password),
    onSuccess: () => navigate({ to: '/', replace: true }),
  })

  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (attempt.isPending) return
    const found: Problems = {
      email: firstProblem(email.trim(), [required('email'), emailRule]),
      password: firstProblem(password, [required('password')]),
    }
    flushSync(() => setProblems(found))
    if (found.email || found.password) {
      form.current?.querySelector<HTMLInputElement>('[aria-invalid="true"]')?.focus()
      return
    }
    attempt.mutate()
  }

  return (
    <MantineRoot>
      <main className={styles.page}>
        <form className={styles.card} ref={form} onSubmit={submit} noValidate aria-labelledby="sign-in-title">
          <Logo size={40} />
          <h1 id="sign-in-title">Sign in to the order desk</h1>
          {attempt.error && !attempt.isPending && (
            <p className={styles.problem} role="alert">
              <IconAlertCircle size={18} aria-hidden />
              {attempt.error.message}
            </p>
          )}
          <TextInput
            label="Email"
            name="email"
            type="email"
            autoComplete="username"
            autoFocus
            size="md"
            value={email}
            onChange={(event) => setEmail(event.currentTarget.value)}
            error={problems.email}
          />
          <PasswordInput
            label="Password"
            name="password"
            autoComplete="current-password"
            size="md"
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
            error={problems.password}
            visibilityToggleButtonProps={{ 'aria-label': 'Show the password', tabIndex: 0 }}
          />
          <Button type="submit" size="large" isBusy={attempt.isPending}>
            Sign In
          </Button>
        </form>
      </main>
    </MantineRoot>
  )
}
