import type { SubstituteSettings } from '@cellarhand/contract/substitutes'
import { Radio, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { useEffect, useEffectEvent, useId, useState } from 'react'
import { call } from '#lib/calls/call.ts'
import { keepSaved } from '#lib/calls/keep-saved.ts'
import { useFollowed } from '#lib/parts/use-followed.ts'
import { showAtFields } from '#lib/parts/use-form.ts'
import { merchantKey } from '#sign-in/public.ts'
import { Block } from '#ui/blocks/block.tsx'
import formStyles from '#ui/forms/form.module.css'
import { SaveEnd } from '#ui/forms/save-form.tsx'
import { toast } from '#ui/notes/toasts.tsx'
import { substitutesQuery } from './company-queries.ts'
import styles from './delivery-hours.module.css'

type Silence = SubstituteSettings['silence']

const shortest = 5
const longest = 24 * 60

const silenceLabels: Record<Silence, string> = {
  refund: 'The missing pieces are refunded',
  take_first: 'The first substitute that costs no more is taken, or else they are refunded',
  reject: 'The order is rejected',
}

const toFields = ({ minutes, silence }: SubstituteSettings) => ({ minutes: String(minutes), silence })
type Fields = ReturnType<typeof toFields>

function problemOf(typed: string): string | undefined {
  const minutes = Number(typed)
  if (/^\d{1,5}$/.test(typed.trim()) && minutes >= shortest && minutes <= longest) return undefined
  return `Please enter ${shortest} to ${longest} minutes`
}

interface Props {
  saved: SubstituteSettings
  onDirty: (isDirty: boolean) => void
}

/** How long customers may think about substitutes, and what silence means. */
export function SubstituteSettingsCard({ saved, onDirty }: Props) {
  const id = useId()
  const queryClient = useQueryClient()
  const { fields, setFields, settle } = useFollowed(toFields(saved))
  const { minutes, silence } = fields
  const [showsProblem, setShowsProblem] = useState(false)
  const problem = problemOf(minutes)
  const isDirty = minutes.trim() !== String(saved.minutes) || silence !== saved.silence
  const tellDirty = useEffectEvent(onDirty)
  useEffect(() => tellDirty(isDirty), [isDirty])
  const save = useMutation({
    mutationFn: (given: Fields) =>
      call('PUT /m/v2/merchant/{tmk}/substitutes', {
        params: { tmk: merchantKey() },
        body: { ...given, minutes: Number(given.minutes) },
      }),
    onSuccess: async (next, given) => {
      await keepSaved(queryClient, substitutesQuery(merchantKey()), next)
      settle(given, toFields(next))
      toast('success', 'Saved the substitutes')
    },
  })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    showAtFields(document.getElementById(id), () => setShowsProblem(problem !== undefined))
    if (problem === undefined && isDirty && !save.isPending) save.mutate(fields)
  }
  return (
    <Block title="Substitutes">
      <form className={formStyles.form} id={id} noValidate onSubmit={submit}>
        <p className={styles.hint}>
          When a bottle is missing, a clerk can offer the customer one or two others, by text message or mail.
          A change applies to offers made from now on.
        </p>
        <TextInput
          label="Minutes to answer"
          inputMode="numeric"
          maxLength={5}
          autoComplete="off"
          value={minutes}
          onChange={({ currentTarget: { value } }) => setFields((before) => ({ ...before, minutes: value }))}
          error={showsProblem ? problem : undefined}
        />
        <Radio.Group
          label="Without an answer"
          value={silence}
          onChange={(picked) => setFields((before) => ({ ...before, silence: picked as Silence }))}
        >
          <div className={styles.choices}>
            {Object.entries(silenceLabels).map(([value, label]) => (
              <Radio key={value} value={value} label={label} />
            ))}
          </div>
        </Radio.Group>
        <SaveEnd isDirty={isDirty} save={save} />
      </form>
    </Block>
  )
}
