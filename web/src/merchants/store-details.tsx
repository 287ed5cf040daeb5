import { messages } from '@cellarhand/contract/messages'
import { email, firstProblem, phone, required, zip } from '@cellarhand/contract/validation'
import { TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { track } from '#lib/reports/analytics.ts'
import { call } from '#lib/calls/call.ts'
import { keepSaved } from '#lib/calls/keep-saved.ts'
import { useForm } from '#lib/parts/use-form.ts'
import { merchantKey } from '#sign-in/public.ts'
import { Block } from '#ui/blocks/block.tsx'
import formStyles from '#ui/forms/form.module.css'
import { SaveForm } from '#ui/forms/save-form.tsx'
import { toast } from '#ui/notes/toasts.tsx'
import type { Merchant } from './queries.ts'
import { merchantQuery } from './queries.ts'

/** Keyed by the server's names of the fields, so that a refusal shows at its field. */
function fieldsOf({ name, email: address, primary_phone, address: place, aux_data }: Merchant) {
  return {
    name,
    email: address,
    primary_phone,
    'address.street_1': place.street_1,
    'address.street_2': place.street_2 ?? '',
    'address.street_3': place.street_3 ?? '',
    'address.city': place.city,
    'address.state': place.state,
    'address.zipcode': place.zipcode,
    primary_contact_name: aux_data.primary_contact_name ?? '',
    secondary_contact_name: aux_data.secondary_contact_name ?? '',
    secondary_email: aux_data.secondary_email ?? '',
    secondary_phone_number: aux_data.secondary_phone_number ?? '',
  }
}
type Fields = ReturnType<typeof fieldsOf>

const contactNames = [
  'primary_contact_name',
  'secondary_contact_name',
  'secondary_email',
  'secondary_phone_number',
] as const satisfies readonly (keyof Fields)[]

function problemsOf(fields: Fields) {
  const filled = (name: keyof Fields, called: string) => firstProblem(fields[name], [required(called)])
  return {
    name: filled('name', 'store_name'),
    'address.street_1': filled('address.street_1', 'street'),
    'address.street_2': filled('address.street_2', 'suite_floor'),
    'address.city': filled('address.city', 'city'),
    'address.state': filled('address.state', 'state'),
    'address.zipcode': firstProblem(fields['address.zipcode'].trim(), [required('zip'), zip]),
    primary_contact_name: filled('primary_contact_name', 'primary_contact'),
    email: firstProblem(fields.email.trim(), [required('primary_email'), email]),
    primary_phone: firstProblem(fields.primary_phone.trim(), [required('primary_phone'), phone]),
    secondary_email: email(fields.secondary_email.trim()),
    secondary_phone_number: phone(fields.secondary_phone_number.trim()),
  }
}

function storeBody(fields: Fields) {
  return {
    name: fields.name.trim(),
    email: fields.email.trim(),
    primary_phone: fields.primary_phone.trim(),
    address: {
      street_1: fields['address.street_1'].trim(),
      street_2: fields['address.street_2'].trim(),
      street_3: fields['address.street_3'].trim() || null,
      city: fields['address.city'].trim(),
      state: fields['address.state'].trim(),
      zipcode: fields['address.zipcode'].trim(),
    },
  }
}

function contactsBody(fields: Fields) {
  return {
    primary_contact_name: fields.primary_contact_name.trim(),
    secondary_contact_name: fields.secondary_contact_name.trim() || null,
    secondary_email: fields.secondary_email.trim() || null,
    secondary_phone_number: fields.secondary_phone_number.trim() || null,
  }
}

type Details = ReturnType<typeof useForm<keyof Fields>>

function useSave(changed: readonly (keyof Fields)[], form: Details) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: async (given: Fields): Promise<Merchant | undefined> => {
      const params = { tmk: merchantKey() }
      let last: Merchant | undefined
      const keep = async (next: Merchant): Promise<void> => {
        last = next
        await keepSaved(queryClient, merchantQuery(merchantKey()), next)
      }
      const isContact = (name: keyof Fields): boolean => (contactNames as readonly string[]).includes(name)
      // Two calls, each only if something changed: values that the first one saved are not sent again.
      if (changed.some((name) => !isContact(name)))
        await keep(await call('POST /c/v2/merchants/{tmk}', { params, body: storeBody(given) }))
      if (changed.some(isContact))
        await keep(await call('POST /c/v2/merchants/{tmk}/data', { params, body: contactsBody(given) }))
      return last
    },
    onSuccess: (next, given) => {
      if (next) form.settle(given, fieldsOf(next))
      toast('success', messages.companySaved)
      track('Save Company')
    },
    onError: (error) => form.showRefusal(error),
  })
}

interface Props {
  merchant: Merchant
  onDirty: (isDirty: boolean) => void
}

export function StoreDetails({ merchant, onDirty }: Props) {
  const saved = fieldsOf(merchant)
  const form = useForm(saved, problemsOf, { follows: true })
  const { fields } = form
  const changed = (Object.keys(saved) as (keyof Fields)[]).filter((name) => fields[name] !== saved[name])
  const isDirty = changed.length > 0
  const tellDirty = useEffectEvent(onDirty)
  useEffect(() => tellDirty(isDirty), [isDirty])
  const save = useSave(changed, form)
  return (
    <Block title="Store Details">
      <SaveForm form={form} isDirty={isDirty} save={save} onSave={() => save.mutate(fields)}>
        <TextInput label="Store name" autoComplete="organization" maxLength={200} {...form.text('name')} />
        <div className={formStyles.pair}>
          <TextInput
            label="Street"
            autoComplete="address-line1"
            maxLength={200}
            {...form.text('address.street_1')}
          />
          <TextInput
            label="Suite floor"
            placeholder="N/A where there is none"
            autoComplete="address-line2"
            maxLength={200}
            {...form.text('address.street_2')}
          />
          <TextInput
            label="City"
            autoComplete="address-level2"
            maxLength={100}
            {...form.text('address.city')}
          />
          <TextInput
            label="State"
            autoComplete="address-level1"
            maxLength={50}
            {...form.text('address.state')}
          />
          <TextInput
            label="Zip"
            autoComplete="postal-code"
            maxLength={10}
            {...form.text('address.zipcode')}
          />
          <TextInput
            label="Primary contact"
            autoComplete="name"
            maxLength={200}
            {...form.text('primary_contact_name')}
          />
          <TextInput label="Primary email" type="email" autoComplete="email" {...form.text('email')} />
          <TextInput
            label="Primary phone"
            type="tel"
            autoComplete="tel"
            maxLength={32}
            {...form.text('primary_phone')}
          />
          <TextInput
            label="Secondary contact"
            description="Optional"
            maxLength={200}
            {...form.text('secondary_contact_name')}
          />
          <TextInput
            label="Secondary email"
            description="Optional"
            type="email"
            {...form.text('secondary_email')}
          />
          <TextInput
            label="Secondary phone"
            description="Optional"
            type="tel"
            maxLength={32}
            {...form.text('secondary_phone_number')}
          />
        </div>
      </SaveForm>
    </Block>
  )
}
