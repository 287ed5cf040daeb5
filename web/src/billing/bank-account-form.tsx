import type { BillingPath } from '@cellarhand/contract/billing-rules'
import {
  billingFields,
  billingPaths,
  billingProblems,
  descriptorMaxLength,
  isMasked,
  routingNumberDoubt,
} from '@cellarhand/contract/billing-rules'
import { messages } from '@cellarhand/contract/messages'
import { usStates } from '@cellarhand/contract/us-states'
import { NativeSelect, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { track } from '#lib/reports/analytics.ts'
import { call, CallError } from '#lib/calls/call.ts'
import { keepSaved } from '#lib/calls/keep-saved.ts'
import { useForm } from '#lib/parts/use-form.ts'
import { merchantKey } from '#sign-in/public.ts'
import { Block } from '#ui/blocks/block.tsx'
import { Button } from '#ui/blocks/button.tsx'
import formStyles from '#ui/forms/form.module.css'
import { LeaveGuard } from '#ui/dialogs/leave-guard.tsx'
import { tellFailure, toast } from '#ui/notes/toasts.tsx'
import { useTold } from '#ui/notes/told.ts'
import styles from './billing-page.module.css'
import type { Billing } from './queries.ts'
import { billingQuery } from './queries.ts'

type Fields = Record<BillingPath, string>

function fieldsOf(billing: Billing): Fields {
  const valueAt = (path: BillingPath): string => {
    let value: unknown = billing
    for (const key of path.split('.')) value = (value as Record<string, unknown> | null)?.[key]
    return typeof value === 'string' ? value : ''
  }
  return Object.fromEntries(billingPaths.map((path) => [path, valueAt(path)])) as Fields
}

function addressIn(fields: Fields, part: 'individual' | 'business') {
  return {
    region: fields[`${part}.address.region`],
    postal_code: fields[`${part}.address.postal_code`].trim(),
    street_address: fields[`${part}.address.street_address`].trim(),
    locality: fields[`${part}.address.locality`].trim(),
  }
}

/** Leaves a masked account number out, and removes the EIN's dashes (BILL-013, BILL-014). */
function toBody(fields: Fields) {
  const accountNumber = fields['funding.account_number'].trim()
  return {
    individual: {
      first_name: fields['individual.first_name'].trim(),
      last_name: fields['individual.last_name'].trim(),
      phone: fields['individual.phone'].trim(),
      date_of_birth: fields['individual.date_of_birth'],
      email: fields['individual.email'].trim(),
      address: addressIn(fields, 'individual'),
    },
    business: {
      legal_name: fields['business.legal_name'].trim(),
      dba_name: fields['business.dba_name'].trim(),
      tax_id: fields['business.tax_id'].replaceAll('-', '').trim(),
      address: addressIn(fields, 'business'),
    },
    funding: {
      descriptor: fields['funding.descriptor'].trim(),
      routing_number: fields['funding.routing_number'].trim(),
      ...(!isMasked(accountNumber) && { account_number: accountNumber }),
    },
  }
}

/** One toast for the whole form: missing fields come before wrong ones (GAP-155). */
function tellOf(fields: Fields, problems: Partial<Record<BillingPath, string>>): string | undefined {
  const [first] = Object.keys(problems) as BillingPath[]
  if (first === undefined) return undefined
  const isMissing = billingPaths.some((path) => fields[path].trim() === '')
  return isMissing ? messages.billingFieldsRequired : messages.billingFieldInvalid(billingFields[first].label)
}

const action = 'bank account'

/** The bank account for the earlier payment provider; shown only if SHOW_LEGACY_BILLING is set (GAP-151). */
export function BankAccountForm({ billing }: { billing: Billing }) {
  const queryClient = useQueryClient()
  const saved = fieldsOf(billing)
  const form = useForm(saved, billingProblems, { follows: true })
  const { fields } = form
  const isDirty = billingPaths.some((path) => fields[path] !== saved[path])
  const save = useTold({
    action,
    attempt: (given: Fields) =>
      call('POST /c/v2/merchants/{tmk}/payments', { params: { tmk: merchantKey() }, body: toBody(given) }),
    onSuccess: async (next, given) => {
      await keepSaved(queryClient, billingQuery(merchantKey()), next)
      form.settle(given, fieldsOf(next))
      toast('success', messages.billingSaved)
      track('Save Billing')
    },
    failure: (error) => {
      const [first] = error instanceof CallError ? Object.values(error.fieldErrors) : []
      return [first ?? messages.billingFailed]
    },
    onError: (error) => form.showRefusal(error),
  })
  const field = (path: BillingPath) => ({ label: billingFields[path].label, ...form.text(path) })
  const number = form.text('funding.account_number')
  const maskedNumber = saved['funding.account_number']
  const left = descriptorMaxLength - [...fields['funding.descriptor']].length
  return (
    <Block title="Bank Account">
      <form
        className={`${formStyles.form} ${styles.form}`}
        id={form.id}
        noValidate
        autoComplete="off"
        onSubmit={(event) => {
          const tell = tellOf(fields, billingProblems(fields))
          if (tell !== undefined) tellFailure(action, tell)
          form.submit(event, () => {
            if (isDirty && !save.isPending) save.mutate(fields)
          })
        }}
      >
        {!billing.tos_accepted && <p className={styles.soft}>Please accept the terms of service first.</p>}
        <fieldset disabled={!billing.tos_accepted} className={formStyles.form}>
          <Group title="Owner">
            <TextInput maxLength={100} {...field('individual.first_name')} />
            <TextInput maxLength={100} {...field('individual.last_name')} />
            <TextInput type="email" {...field('individual.email')} />
            <TextInput type="tel" maxLength={32} {...field('individual.phone')} />
            <TextInput type="date" {...field('individual.date_of_birth')} />
            <TextInput maxLength={200} {...field('individual.address.street_address')} />
            <TextInput maxLength={100} {...field('individual.address.locality')} />
            <StateSelect {...field('individual.address.region')} />
            <TextInput maxLength={10} {...field('individual.address.postal_code')} />
          </Group>
          <Group title="Business">
            <TextInput maxLength={200} {...field('business.legal_name')} />
            <TextInput maxLength={200} {...field('business.dba_name')} />
            <TextInput maxLength={20} inputMode="numeric" {...field('business.tax_id')} />
            <TextInput maxLength={200} {...field('business.address.street_address')} />
            <TextInput maxLength={100} {...field('business.address.locality')} />
            <StateSelect {...field('business.address.region')} />
            <TextInput maxLength={10} {...field('business.address.postal_code')} />
          </Group>
          <Group title="Deposits">
            <TextInput
              description={left === 1 ? '1 character left' : `${left} characters left`}
              maxLength={descriptorMaxLength}
              {...field('funding.descriptor')}
            />
            <TextInput
              description={routingNumberDoubt(fields['funding.routing_number'].trim()) ?? 'Nine digits'}
              maxLength={9}
              inputMode="numeric"
              {...field('funding.routing_number')}
            />
            <TextInput
              description="Only its last four digits are ever shown again"
              maxLength={17}
              inputMode="numeric"
              {...field('funding.account_number')}
              onFocus={() => {
                if (isMasked(number.value)) form.change({ 'funding.account_number': '' })
              }}
              onBlur={() => {
                if (number.value === '') form.change({ 'funding.account_number': maskedNumber })
              }}
            />
          </Group>
          <div className={formStyles.end}>
            <Button type="submit" disabled={!isDirty} isBusy={save.isPending}>
              Save
            </Button>
          </div>
        </fieldset>
      </form>
      <LeaveGuard isDirty={isDirty} />
    </Block>
  )
}

function Group({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <fieldset className={styles.group}>
      <legend>{title}</legend>
      <div className={formStyles.pair}>{children}</div>
    </fieldset>
  )
}

function StateSelect(props: {
  label: string
  name: string
  value: string
  error: string | undefined
  onChange: (event: { currentTarget: { value: string } }) => void
}) {
  return (
    <NativeSelect {...props}>
      <option value="">Choose a state</option>
      {usStates.map(([code, name]) => (
        <option key={code} value={code}>
          {name}
        </option>
      ))}
    </NativeSelect>
  )
}
