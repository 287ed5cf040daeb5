import { labelCarriers } from '@cellarhand/contract/carriers'
import { messages } from '@cellarhand/contract/messages'
import { firstProblem, required, zip } from '@cellarhand/contract/validation'
import { NativeSelect, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { call } from '#lib/calls/call.ts'
import { keepSaved } from '#lib/calls/keep-saved.ts'
import { reasonOf } from '#lib/calls/reason-of.ts'
import { lazyPart } from '#lib/parts/lazy-part.ts'
import { track } from '#lib/reports/analytics.ts'
import { useForm } from '#lib/parts/use-form.ts'
import { merchantQuery } from '#merchants/public.ts'
import { merchantKey } from '#sign-in/public.ts'
import { Button } from '#ui/blocks/button.tsx'
import { DialogPart } from '#ui/dialogs/dialog.tsx'
import formStyles from '#ui/forms/form.module.css'
import { LeaveGuard } from '#ui/dialogs/leave-guard.tsx'
import { LabelPreview } from './label-preview.tsx'
import { carrierAccountQuery, type CarrierAccount } from './queries.ts'
import styles from './carrier-page.module.css'

const DisconnectDialog = lazyPart(() => import('./disconnect-dialog.tsx'), 'DisconnectDialog')

const savedForMs = 8000
const sizes = ['4x6', '8.5x11'] as const
const formats = ['PDF', 'PNG', 'ZPL'] as const
const formatNames: Record<string, string> = { ZPL: 'ZPL, for label printers' }

function fieldsOf(account: CarrierAccount | null) {
  return {
    carrier: account?.carrier ?? '',
    account_number: '',
    account_zip: account?.account_zip ?? '',
    label_size: account?.label_size ?? '4x6',
    label_format: account?.label_format ?? 'PDF',
  }
}
type Fields = ReturnType<typeof fieldsOf>

/** Without a typed number, the connected carrier's stays; another carrier needs its own. */
function keepsNumber(fields: Fields, account: CarrierAccount | null): boolean {
  return account !== null && fields.carrier === account.carrier
}

function problemsOf(fields: Fields, account: CarrierAccount | null) {
  return {
    carrier: firstProblem(fields.carrier, [required('carrier')]),
    account_number: keepsNumber(fields, account)
      ? undefined
      : firstProblem(fields.account_number, [required('account_number')]),
    account_zip: firstProblem(fields.account_zip.trim(), [required('account_zip'), zip]),
  }
}

function pick<T extends string>(known: readonly T[], value: string): T {
  return known.find((each) => each === value) ?? (known[0] as T)
}

export function CarrierForm({ account, mayEdit }: { account: CarrierAccount | null; mayEdit: boolean }) {
  const queryClient = useQueryClient()
  const tmk = merchantKey()
  const form = useForm(fieldsOf(account), (fields) => problemsOf(fields, account), { follows: true })
  const { fields } = form
  const [isSaved, setSaved] = useSavedFlag()
  const stored = fieldsOf(account)
  const isDirty = (Object.keys(stored) as (keyof Fields)[]).some((name) => fields[name] !== stored[name])

  const keep = async (next: CarrierAccount | null): Promise<void> => {
    await keepSaved(queryClient, carrierAccountQuery(tmk), next)
    // It tells every order whether a label can be bought.
    const merchant = merchantQuery(tmk)
    const carrier_integration = next && { carrier: next.carrier, status: 'connected' }
    await keepSaved(queryClient, merchant, (before) => before && { ...before, carrier_integration })
    void queryClient.invalidateQueries(merchant)
  }
  const save = useMutation({
    mutationFn: (typed: Fields) =>
      call('PUT /c/v2/merchants/{tmk}/carrier_integration', {
        params: { tmk },
        body: {
          carrier: pick(labelCarriers, typed.carrier),
          account_number: typed.account_number.trim() === '' ? null : typed.account_number.trim(),
          account_zip: typed.account_zip.trim(),
          label_size: pick(sizes, typed.label_size),
          label_format: pick(formats, typed.label_format),
        },
      }),
    onMutate: () => setSaved(false),
    onSuccess: async (next, typed) => {
      await keep(next)
      form.settle(typed, fieldsOf(next))
      setSaved(true)
      track('Save Carrier Account')
    },
    onError: (error) => form.showRefusal(error),
  })

  return (
    <form
      className={formStyles.form}
      {...form.element(() => save.mutate(fields), isDirty && !save.isPending)}
    >
      <div className={formStyles.pair}>
        <NativeSelect label="Carrier" disabled={!mayEdit} {...form.text('carrier')}>
          <option value="" disabled>
            Choose a carrier
          </option>
          {labelCarriers.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </NativeSelect>
        <TextInput
          label="Account number"
          autoComplete="off"
          spellCheck={false}
          maxLength={40}
          disabled={!mayEdit}
          placeholder={
            keepsNumber(fields, account) ? `Ends in ${account?.account_number_last_4 ?? ''}` : undefined
          }
          {...form.text('account_number')}
        />
        <TextInput
          label="Account ZIP"
          inputMode="numeric"
          autoComplete="off"
          maxLength={10}
          disabled={!mayEdit}
          {...form.text('account_zip')}
        />
      </div>
      <div className={styles.choices}>
        <Choice
          legend="Label size"
          options={sizes}
          value={fields.label_size}
          disabled={!mayEdit}
          isOpen={(size) => size === '4x6' || fields.label_format !== 'ZPL'}
          onChange={(label_size) => form.change({ label_size })}
        />
        <Choice
          legend="Label format"
          options={formats}
          names={formatNames}
          value={fields.label_format}
          disabled={!mayEdit}
          onChange={(label_format) =>
            // A label printer's paper is always one label.
            form.change({ label_format, ...(label_format === 'ZPL' && { label_size: '4x6' }) })
          }
        />
        <LabelPreview size={fields.label_size} format={fields.label_format} />
      </div>
      {save.isError && (
        <p role="alert" className={formStyles.problem}>
          <span>{messages.carrierNotSaved}</span> {reasonOf(save.error)}
        </p>
      )}
      {mayEdit && (
        <div className={formStyles.end}>
          <Button type="submit" disabled={!isDirty} isBusy={save.isPending}>
            Save
          </Button>
          {account !== null && (
            <DisconnectButton
              disabled={save.isPending}
              onDisconnected={() => void keep(null).then(() => form.reset(fieldsOf(null)))}
            />
          )}
          <span role="status" className={styles.saved}>
            {isSaved ? 'Saved' : ''}
          </span>
        </div>
      )}
      <LeaveGuard isDirty={isDirty} />
    </form>
  )
}

function DisconnectButton({ disabled, onDisconnected }: { disabled: boolean; onDisconnected: () => void }) {
  const [isOpen, setOpen] = useState(false)
  const close = (): void => setOpen(false)
  return (
    <>
      <Button look="plain" disabled={disabled} onClick={() => setOpen(true)}>
        Disconnect
      </Button>
      {isOpen && (
        <DialogPart title="Disconnect the carrier account?" onClose={close}>
          <DisconnectDialog onDisconnected={onDisconnected} onClose={close} />
        </DialogPart>
      )}
    </>
  )
}

/** True after a save, for eight seconds (CARR-003). */
function useSavedFlag(): [boolean, (isSaved: boolean) => void] {
  const [isSaved, setSaved] = useState(false)
  useEffect(() => {
    if (!isSaved) return
    const timer = setTimeout(() => setSaved(false), savedForMs)
    return () => clearTimeout(timer)
  }, [isSaved])
  return [isSaved, setSaved]
}

interface ChoiceProps {
  legend: string
  options: readonly string[]
  names?: Readonly<Record<string, string>>
  isOpen?: (option: string) => boolean
  value: string
  disabled: boolean
  onChange: (value: string) => void
}

function Choice(props: ChoiceProps) {
  const { legend, options, names = {}, value, disabled, isOpen = () => true, onChange } = props
  return (
    <fieldset disabled={disabled}>
      <legend>{legend}</legend>
      {options.map((option) => (
        <label key={option}>
          <input
            type="radio"
            name={legend}
            value={option}
            checked={value === option}
            disabled={!isOpen(option)}
            onChange={() => onChange(option)}
          />
          {names[option] ?? option}
        </label>
      ))}
    </fieldset>
  )
}
