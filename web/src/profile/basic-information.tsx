import { messages } from '@cellarhand/contract/messages'
import {
  email as emailRule,
  firstProblem,
  maxPasswordLength,
  password as passwordRule,
  phone as phoneRule,
  required,
} from '@cellarhand/contract/validation'
import { PasswordInput, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { call, changeToken } from '#lib/calls/call.ts'
import { track } from '#lib/reports/analytics.ts'
import { useForm } from '#lib/parts/use-form.ts'
import type { User } from '#sign-in/public.ts'
import { signInAgain, twoStepQuery, updateUser } from '#sign-in/public.ts'
import { Block } from '#ui/blocks/block.tsx'
import formStyles from '#ui/forms/form.module.css'
import { LeaveGuard } from '#ui/dialogs/leave-guard.tsx'
import { MantineRoot } from '#ui/theme/mantine-root.tsx'
import { SaveForm } from '#ui/forms/save-form.tsx'
import { toast } from '#ui/notes/toasts.tsx'
import { NewPassword } from './new-password.tsx'
import { sessionsQuery } from './queries.ts'
import styles from './basic-information.module.css'

function fieldsOf(user: User) {
  return {
    first_name: user.first_name,
    last_name: user.last_name,
    email: user.email,
    phone_number: user.phone_number ?? '',
    new_password: '',
    password: '',
    code: '',
  }
}
type Fields = ReturnType<typeof fieldsOf>

/** A new password or e-mail needs the present password (GAP-160), and the second step's code if there is one. */
function needsPassword(fields: Fields, user: User): boolean {
  return fields.new_password !== '' || fields.email.trim() !== user.email
}

function problemsOf(fields: Fields, user: User, isTwoStepOn: boolean) {
  return {
    first_name: firstProblem(fields.first_name, [required('first_name')]),
    last_name: firstProblem(fields.last_name, [required('last_name')]),
    email: firstProblem(fields.email.trim(), [required('email'), emailRule]),
    phone_number: phoneRule(fields.phone_number.trim()),
    new_password: fields.new_password === '' ? undefined : passwordRule(fields.new_password),
    password: needsPassword(fields, user)
      ? firstProblem(fields.password, [required('current_password')])
      : undefined,
    code:
      isTwoStepOn && needsPassword(fields, user) ? firstProblem(fields.code, [required('code')]) : undefined,
  }
}

/** Drops empty values (PROF-008); only a saved phone number can be removed. */
function wire(fields: Fields, user: User) {
  const { password, new_password, phone_number, code, ...names } = fields
  const texts = Object.entries(names).map(([name, value]) => [name, value.trim()] as const)
  const phone = phone_number.trim()
  return {
    ...(Object.fromEntries(texts.filter(([, value]) => value !== '')) as Partial<typeof names>),
    ...(phone !== '' && { phone_number: phone }),
    ...(phone === '' && user.phone_number !== null && { phone_number: null }),
    ...(needsPassword(fields, user) && { password, ...(code.trim() !== '' && { code: code.trim() }) }),
    ...(new_password !== '' && { new_password }),
  }
}

export function BasicInformation({ user }: { user: User }) {
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const isTwoStepOn = useQuery(twoStepQuery(user.id)).data?.is_on === true
  const form = useForm(fieldsOf(user), (fields) => problemsOf(fields, user, isTwoStepOn), { follows: true })
  const { fields } = form
  const saved: Fields = fieldsOf(user)
  const isDirty = (Object.keys(saved) as (keyof Fields)[]).some((name) => fields[name] !== saved[name])
  const save = useMutation({
    mutationFn: (changed: Fields) =>
      changeToken(async () => {
        const body = wire(changed, user)
        const next = await call(
          'POST /a/v2/users/{id}',
          { params: { id: user.id }, body },
          { changesToken: true },
        )
        const isStillIn = changed.new_password === '' || (await signInAgain(next.email, changed.new_password))
        return { next, isStillIn }
      }),
    onSuccess: async ({ next, isStillIn }, sent) => {
      track('Save Profile')
      updateUser(next)
      form.settle(sent, fieldsOf(next))
      toast('success', messages.profileSaved)
      void queryClient.invalidateQueries(sessionsQuery(user.id))
      if (!isStillIn) await navigate({ to: '/login', replace: true })
    },
    onError: (error) => {
      form.showRefusal(error)
      // Another screen may have turned the second step on.
      void queryClient.invalidateQueries(twoStepQuery(user.id))
    },
  })
  return (
    <MantineRoot>
      <Block title="Basic Information">
        <SaveForm form={form} isDirty={isDirty} save={save} onSave={() => save.mutate(fields)}>
          <div className={formStyles.pair}>
            <TextInput
              label="First name"
              autoComplete="given-name"
              maxLength={100}
              {...form.text('first_name')}
            />
            <TextInput
              label="Last name"
              autoComplete="family-name"
              maxLength={100}
              {...form.text('last_name')}
            />
            <TextInput label="Email" type="email" autoComplete="email" {...form.text('email')} />
            <TextInput
              label="Phone number"
              type="tel"
              autoComplete="tel"
              maxLength={32}
              {...form.text('phone_number')}
            />
          </div>
          <p className={styles.role}>
            Role: <b>{user.roles.map(({ label }) => label).join(', ') || 'none'}</b>
          </p>
          <NewPassword
            field={form.text('new_password')}
            onGenerate={(new_password) => form.change({ new_password })}
          />
          {needsPassword(fields, user) && (
            <PasswordInput
              className={styles.password}
              label="Current password"
              description="A new password or e-mail needs your current password"
              autoComplete="current-password"
              maxLength={maxPasswordLength}
              {...form.text('password')}
              visibilityToggleButtonProps={{ 'aria-label': 'Show the current password', tabIndex: 0 }}
            />
          )}
          {needsPassword(fields, user) && (isTwoStepOn || form.problems.code !== undefined) && (
            <TextInput
              className={styles.password}
              label="Code"
              description="From your authenticator app, or one of your recovery codes"
              autoComplete="one-time-code"
              maxLength={40}
              {...form.text('code')}
            />
          )}
        </SaveForm>
      </Block>
      <LeaveGuard isDirty={isDirty} />
    </MantineRoot>
  )
}
