import type { AlarmRules } from '@cellarhand/contract/live'
import { methodFilterLabel } from '@cellarhand/contract/labels'
import { deliveryMethods, type DeliveryMethod } from '@cellarhand/contract/order-statuses'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { useEffect, useEffectEvent, useId, useState } from 'react'
import { call } from '#lib/calls/call.ts'
import { keepSaved } from '#lib/calls/keep-saved.ts'
import { isSame, useFollowed } from '#lib/parts/use-followed.ts'
import { showAtFields } from '#lib/parts/use-form.ts'
import { merchantKey } from '#sign-in/public.ts'
import { Block } from '#ui/blocks/block.tsx'
import formStyles from '#ui/forms/form.module.css'
import { SaveEnd } from '#ui/forms/save-form.tsx'
import { Toggle } from '#ui/forms/toggle.tsx'
import { toast } from '#ui/notes/toasts.tsx'
import styles from './alarms-page.module.css'
import { alarmRulesQuery } from './queries.ts'
import { problemOf, sentOf, toFields, toRules, type MethodFields, type RuleFields } from './rules-fields.ts'

interface Props {
  saved: AlarmRules
  onDirty: (isDirty: boolean) => void
}

/** When nearly late and late orders ring, by delivery method. */
export function RulesForm({ saved, onDirty }: Props) {
  const id = useId()
  const queryClient = useQueryClient()
  const { fields, setFields, settle } = useFollowed(toFields(saved), { sentOf })
  const [shownProblems, showProblems] = useState(false)
  const isDirty = !isSame(toRules(fields), saved)
  const tellDirty = useEffectEvent(onDirty)
  useEffect(() => tellDirty(isDirty), [isDirty])
  const save = useMutation({
    mutationFn: (given: RuleFields) =>
      call('PUT /m/v2/merchant/{tmk}/alarms/rules', {
        params: { tmk: merchantKey() },
        body: toRules(given),
      }),
    onSuccess: async (next, given) => {
      await keepSaved(queryClient, alarmRulesQuery(merchantKey()), next)
      settle(given, toFields(next))
      toast('success', 'Saved the alarms')
    },
  })
  const change = (method: DeliveryMethod, part: Partial<MethodFields>): void =>
    setFields((before) => ({ ...before, [method]: { ...before[method], ...part } }))
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    const isBad = deliveryMethods.some((method) => problemOf(fields[method]) !== undefined)
    showAtFields(document.getElementById(id), () => showProblems(isBad))
    if (!isBad && isDirty && !save.isPending) save.mutate(fields)
  }
  return (
    <Block title="Late orders">
      <form className={formStyles.form} id={id} noValidate onSubmit={submit}>
        <p className={styles.hint}>
          A nearly late or late order rings once on every screen with the alarm on, with a sound of its own.
          It counts for orders that fall due from now on.
        </p>
        <div className={styles.methods}>
          {deliveryMethods.map((method) => (
            <MethodRow
              key={method}
              method={method}
              fields={fields[method]}
              problem={shownProblems ? problemOf(fields[method]) : undefined}
              onChange={(part) => change(method, part)}
            />
          ))}
        </div>
        <div>
          <Toggle
            label="Quiet outside the delivery hours"
            isOn={fields.isQuiet}
            onChange={(isQuiet) => setFields((before) => ({ ...before, isQuiet }))}
          />
          <p className={styles.hint}>
            Then no alarm sounds while the store is closed, of new orders neither. Orders that fell due ring
            when the store opens. The hours are those of Settings, Company. Without hours there, nothing is
            quiet.
          </p>
        </div>
        <SaveEnd isDirty={isDirty} save={save} />
      </form>
    </Block>
  )
}

interface RowProps {
  method: DeliveryMethod
  fields: MethodFields
  problem: string | undefined
  onChange: (part: Partial<MethodFields>) => void
}

function MethodRow({ method, fields, problem, onChange }: RowProps) {
  const id = useId()
  return (
    <fieldset className={styles.method}>
      <legend>{methodFilterLabel(method)}</legend>
      <Toggle label="Nearly late" isOn={fields.isSoon} onChange={(isSoon) => onChange({ isSoon })} />
      <label className={styles.minutes}>
        <input
          inputMode="numeric"
          maxLength={5}
          disabled={!fields.isSoon}
          aria-invalid={problem !== undefined}
          aria-describedby={problem ? `${id}-problem` : undefined}
          value={fields.minutes}
          onChange={({ currentTarget }) => onChange({ minutes: currentTarget.value })}
        />
        minutes before
      </label>
      <Toggle label="Late" isOn={fields.isLate} onChange={(isLate) => onChange({ isLate })} />
      {problem && (
        <p className={styles.problem} id={`${id}-problem`}>
          {problem}
        </p>
      )}
    </fieldset>
  )
}
