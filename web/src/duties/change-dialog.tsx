import { beverageClasses } from '@cellarhand/contract/duty-rules'
import { NativeSelect, Textarea, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { useId, useRef, useState } from 'react'
import { call } from '#lib/calls/call.ts'
import { reasonOf } from '#lib/calls/reason-of.ts'
import { showAtFields } from '#lib/parts/use-form.ts'
import { merchantKey } from '#sign-in/public.ts'
import { closeOnceDone } from '#ui/dialogs/close-once-done.ts'
import { FormButtons, FormDialog } from '#ui/dialogs/form-dialog.tsx'
import { useTold } from '#ui/notes/told.ts'
import styles from './dialogs.module.css'
import { keepDecisions, ruleAction, type ShopRule } from './queries.ts'
import {
  fieldsOf,
  heldRule,
  inputsOf,
  isRead,
  isSameRule,
  readFields,
  type FieldProblems,
  type RuleFields,
} from './rule-form.ts'

interface Props {
  shopRule: ShopRule
  onClose: () => void
}

const roadChoices = [
  { value: 'parcel', label: 'Parcels' },
  { value: 'local', label: 'Local delivery' },
]
const classChoices = beverageClasses
  .filter((each) => each !== 'none')
  .map((value) => ({ value, label: value.charAt(0).toUpperCase() + value.slice(1) }))

/** An owner gives a rule another value or fewer orders; the name and the reason stay on record. */
export function ChangeDialog({ shopRule, onClose }: Props) {
  const { rule } = shopRule
  const form = useRef<HTMLFormElement>(null)
  const [fields, setFields] = useState(() => fieldsOf(heldRule(shopRule)))
  const [reason, setReason] = useState('')
  const [problems, setProblems] = useState<FieldProblems>({})
  const save = useChange(rule.id)
  const change = (part: Partial<RuleFields>): void => {
    setFields({ ...fields, ...part })
    setProblems({})
  }
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (save.isPending) return
    const read = readFields(rule, fields)
    const found: FieldProblems = isRead(read) ? {} : { ...read }
    if (isRead(read) && isSameRule(read, rule))
      found['form'] = 'Nothing differs from the rule. Confirm it instead.'
    if (reason.trim() === '') found['reason'] = 'Please give the reason'
    showAtFields(form.current, () => setProblems(found))
    if (isRead(read) && Object.keys(found).length === 0)
      save.mutate({ ...read, reason: reason.trim() }, { onSuccess: onClose })
  }
  return (
    <FormDialog title="Change a rule" onClose={closeOnceDone(save.isPending, onClose)}>
      <form ref={form} onSubmit={submit} noValidate className={styles.form}>
        <p className={styles.lead}>
          <b>{rule.id}</b>: {rule.words}
        </p>
        <ValueFields rule={rule} fields={fields} problems={problems} onChange={change} />
        <Choices
          title="Holds for"
          choices={roadChoices}
          chosen={fields.roads}
          problem={problems['roads']}
          onChange={(chosen) => change({ roads: chosen })}
        />
        <Choices
          title="Drinks"
          choices={classChoices}
          chosen={fields.classes}
          problem={problems['classes']}
          onChange={(chosen) => change({ classes: chosen })}
        />
        <div className={styles.pair}>
          <TextInput
            label="Only above this % alcohol"
            inputMode="decimal"
            maxLength={6}
            value={fields.abv_over}
            error={problems['abv_over']}
            onChange={(event) => change({ abv_over: event.currentTarget.value })}
          />
          <TextInput
            label="Only these zip codes"
            placeholder="841, 84103"
            maxLength={2_000}
            value={fields.zips}
            error={problems['zips']}
            onChange={(event) => change({ zips: event.currentTarget.value })}
          />
        </div>
        <Textarea
          label="Reason"
          rows={2}
          maxLength={500}
          value={reason}
          error={problems['reason']}
          onChange={(event) => {
            setReason(event.currentTarget.value)
            setProblems({})
          }}
        />
        {problems['form'] && (
          <p role="alert" className={styles.problem}>
            {problems['form']}
          </p>
        )}
        <FormButtons onClose={onClose} isBusy={save.isPending}>
          CHANGE
        </FormButtons>
      </form>
    </FormDialog>
  )
}

function useChange(rule: string) {
  const queryClient = useQueryClient()
  const tmk = merchantKey()
  return useTold({
    action: ruleAction(rule),
    attempt: (body: { applies: ShopRule['rule']['applies']; value: unknown; reason: string }) =>
      call('PUT /m/v2/merchant/{tmk}/duties/{rule}', {
        params: { tmk, rule },
        body: { decision: 'changed', ...body },
      }),
    onSuccess: (saved) => keepDecisions(queryClient, tmk, saved),
    failure: (error) => ['The rule was not changed', reasonOf(error)],
  })
}

interface ValueProps {
  rule: ShopRule['rule']
  fields: RuleFields
  problems: FieldProblems
  onChange: (part: Partial<RuleFields>) => void
}

function ValueFields({ rule, fields: { value }, problems, onChange }: ValueProps) {
  const set = (name: string, text: string): void => onChange({ value: { ...value, [name]: text } })
  const all = inputsOf(rule)
  if (all.length === 0) return null
  return (
    <div className={all.length > 1 ? styles.pair : undefined}>
      {all.map(({ name, label, form, choices }, index) => {
        const common = {
          label,
          value: value[name] ?? '',
          error: problems[name],
          'data-autofocus': index === 0 || undefined,
          onChange: (event: { currentTarget: { value: string } }) => set(name, event.currentTarget.value),
        }
        if (form === 'choice') return <NativeSelect key={name} {...common} data={[...(choices ?? [])]} />
        if (form === 'text') return <Textarea key={name} {...common} rows={3} maxLength={500} />
        if (form === 'yes')
          return (
            <label key={name} className={styles.check}>
              <input
                type="checkbox"
                checked={value[name] === 'true'}
                onChange={(event) => set(name, String(event.currentTarget.checked))}
              />
              {label}
            </label>
          )
        return (
          <TextInput
            key={name}
            {...common}
            maxLength={form === 'list' ? 500 : 8}
            inputMode={form === 'number' ? 'decimal' : 'text'}
          />
        )
      })}
    </div>
  )
}

interface ChoicesProps {
  title: string
  choices: readonly { value: string; label: string }[]
  chosen: string[]
  problem: string | undefined
  onChange: (chosen: string[]) => void
}

function Choices({ title, choices, chosen, problem, onChange }: ChoicesProps) {
  const id = useId()
  return (
    <fieldset className={styles.group} aria-describedby={problem === undefined ? undefined : id}>
      <legend>{title}</legend>
      <div className={styles.choices}>
        {choices.map(({ value, label }) => (
          <label key={value} className={styles.check}>
            <input
              type="checkbox"
              checked={chosen.includes(value)}
              aria-invalid={problem !== undefined}
              onChange={(event) =>
                onChange(
                  event.currentTarget.checked ? [...chosen, value] : chosen.filter((each) => each !== value),
                )
              }
            />
            {label}
          </label>
        ))}
      </div>
      {problem && (
        <p id={id} role="alert" className={styles.problem}>
          {problem}
        </p>
      )}
    </fieldset>
  )
}
