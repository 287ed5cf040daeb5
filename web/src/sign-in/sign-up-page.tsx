import { messages } from '@cellarhand/contract/messages'
import {
  birthDate,
  email as emailRule,
  firstProblem,
  password as passwordRule,
  required,
} from '@cellarhand/contract/validation'
import { PasswordInput, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useId } from 'react'
import { call, CallError } from '#lib/calls/call.ts'
import { serverNow } from '#lib/time/server-clock.ts'
import { useForm } from '#lib/parts/use-form.ts'
import { Button } from '#ui/blocks/button.tsx'
import { toast } from '#ui/notes/toasts.tsx'
import { AccountCard } from './two-step/account-card.tsx'
import styles from './two-step/account-card.module.css'
import { note } from './session/account-state.ts'
import { BirthDateField } from './birth-date-field.tsx'

const empty = { first_name: '', last_name: '', birth_date: '', email: '', password: '', terms: '' }
type Fields = typeof empty

function problemsOf(fields: Fields) {
  return {
    first_name: firstProblem(fields.first_name, [required('first_name')]),
    last_name: firstProblem(fields.last_name, [required('last_name')]),
    birth_date: firstProblem(fields.birth_date, [required('birth_date'), birthDate(serverNow())]),
    email: firstProblem(fields.email.trim(), [required('email'), emailRule]),
    password: firstProblem(fields.password, [required('password'), passwordRule]),
    terms: fields.terms === '' ? messages.termsRequired : undefined,
  }
}

export function SignUpPage() {
  const navigate = useNavigate()
  const form = useForm(empty, problemsOf)
  const signUp = useMutation({
    mutationFn: ({ first_name, last_name, birth_date, email, password }: Fields) =>
      call(
        'POST /a/v2/users',
        {
          body: {
            first_name: first_name.trim(),
            last_name: last_name.trim(),
            birthday: birth_date,
            email: email.trim(),
            password,
          },
        },
        { auth: 'app' },
      ),
    onSuccess: () => {
      note({ signedUp: true })
      toast('success', 'Your account was created. Please sign in.')
      void navigate({ to: '/login' })
    },
    onError: (error) => {
      if (isDuplicate(error)) form.showProblems({ email: messages.emailExists })
      else form.showRefusal(withBirthDate(error))
    },
  })
  const isAtField = Object.values(form.problems).some((text) => text !== undefined)
  return (
    <AccountCard
      title="Create an Account"
      problem={signUp.isError && !isAtField ? signUp.error.message : undefined}
      formId={form.id}
      onSubmit={(event) =>
        form.submit(event, () => {
          if (!signUp.isPending) signUp.mutate(form.fields)
        })
      }
    >
      <div className={styles.pair}>
        <TextInput
          label="First name"
          autoComplete="given-name"
          autoFocus
          size="md"
          maxLength={100}
          {...form.text('first_name')}
        />
        <TextInput
          label="Last name"
          autoComplete="family-name"
          size="md"
          maxLength={100}
          {...form.text('last_name')}
        />
      </div>
      <BirthDateField
        value={form.fields.birth_date}
        problem={form.problems.birth_date}
        onChange={(birth_date) => form.change({ birth_date })}
      />
      <TextInput
        label="Email"
        type="email"
        autoComplete="username"
        size="md"
        {...form.text('email')}
        error={
          form.problems.email === messages.emailExists ? (
            <>
              {messages.emailExists}. <Link to="/forgot">Forgot your password?</Link>
            </>
          ) : (
            form.problems.email
          )
        }
      />
      <PasswordInput
        label="Password"
        description="At least 10 characters"
        autoComplete="new-password"
        size="md"
        {...form.text('password')}
        visibilityToggleButtonProps={{ 'aria-label': 'Show the password', tabIndex: 0 }}
      />
      <AcceptTerms
        isAccepted={form.fields.terms !== ''}
        problem={form.problems.terms}
        onChange={(isAccepted) => form.change({ terms: isAccepted ? 'accepted' : '' })}
      />
      <Button type="submit" size="large" isBusy={signUp.isPending}>
        Create Account
      </Button>
      <p>
        Already have an account? <Link to="/login">Sign in</Link>
      </p>
    </AccountCard>
  )
}

function isDuplicate(error: unknown): boolean {
  return error instanceof CallError && error.code === 'email_exists'
}

/** The wire's name for the form's birth_date is birthday (GAP-49). */
function withBirthDate(error: unknown): unknown {
  if (!(error instanceof CallError) || error.fieldErrors['birthday'] === undefined) return error
  const errors = { ...error.fieldErrors, birth_date: error.fieldErrors['birthday'] }
  return new CallError(error.status, { ...error.body, errors })
}

interface AcceptProps {
  isAccepted: boolean
  problem: string | undefined
  onChange: (isAccepted: boolean) => void
}

function AcceptTerms({ isAccepted, problem, onChange }: AcceptProps) {
  const id = useId()
  return (
    <div>
      <div className={styles.accept}>
        <input
          type="checkbox"
          id={id}
          checked={isAccepted}
          aria-invalid={problem !== undefined}
          aria-describedby={problem === undefined ? undefined : `${id}-problem`}
          onChange={(event) => onChange(event.currentTarget.checked)}
        />
        <span>
          <label htmlFor={id}>I accept the Merchant Terms and Conditions.</label>{' '}
          <a href="/terms" target="_blank" rel="noreferrer">
            Read the terms <span className="visually-hidden">(opens in a new tab)</span>
          </a>
        </span>
      </div>
      {problem !== undefined && (
        <p className={styles.fieldProblem} id={`${id}-problem`}>
          {problem}
        </p>
      )}
    </div>
  )
}
