import { messages } from '@cellarhand/contract/messages'
import { isValidUsPhone } from '@cellarhand/contract/phone'
import { unwatchedMinutes, type Telling, type Watch, type WatchSettings } from '@cellarhand/contract/watch'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { useEffect, useEffectEvent, useId, useState } from 'react'
import { call, CallError } from '#lib/calls/call.ts'
import { keepSaved } from '#lib/calls/keep-saved.ts'
import { isSame, useFollowed } from '#lib/parts/use-followed.ts'
import { showAtFields } from '#lib/parts/use-form.ts'
import { formatDate, formatTime } from '#lib/time/dates.ts'
import { useTimezone } from '#merchants/public.ts'
import { merchantKey } from '#sign-in/public.ts'
import { Block } from '#ui/blocks/block.tsx'
import formStyles from '#ui/forms/form.module.css'
import { SaveEnd } from '#ui/forms/save-form.tsx'
import { Toggle } from '#ui/forms/toggle.tsx'
import { WayFields } from '#ui/forms/way-fields.tsx'
import { toast } from '#ui/notes/toasts.tsx'
import styles from './alarms-page.module.css'
import { watchQuery } from './queries.ts'

interface TellingFields {
  userId: string
  by: Telling['by']
  phone: string
}
interface Fields {
  isOn: boolean
  duty: TellingFields
  owner: TellingFields
}
type Problems = Partial<Record<'duty' | 'duty.phone' | 'owner' | 'owner.phone', string>>

function toFields({ is_on, duty, owner }: Pick<Watch, 'is_on' | 'duty' | 'owner'>): Fields {
  const of = (telling: Telling | null): TellingFields => ({
    userId: telling?.user_id ?? '',
    by: telling?.by ?? 'mail',
    phone: telling?.phone ?? '',
  })
  return { isOn: is_on, duty: of(duty), owner: of(owner) }
}

function toSettings({ isOn, duty, owner }: Fields): Required<WatchSettings> {
  const of = ({ userId, by, phone }: TellingFields): Telling | null =>
    userId === '' ? null : { user_id: userId, by, phone: by === 'text' ? phone.trim() : null }
  return { is_on: isOn, duty: of(duty), owner: of(owner) }
}

/** By the names of the fields. */
function sentOf(fields: Fields) {
  const { is_on: isOn, duty, owner } = toSettings(fields)
  return { isOn, duty, owner }
}

/** The settings that differ. The others are not sent: a clerk may have taken the duty since the form was opened. */
function changedOf(fields: Fields, before: Fields): WatchSettings {
  const [wanted, known] = [toSettings(fields), toSettings(before)]
  return {
    ...(wanted.is_on !== known.is_on && { is_on: wanted.is_on }),
    ...(!isSame(wanted.duty, known.duty) && { duty: wanted.duty }),
    ...(!isSame(wanted.owner, known.owner) && { owner: wanted.owner }),
  }
}

function problemsOf({ isOn, duty, owner }: Fields): Problems {
  const phone = ({ userId, by, phone: typed }: TellingFields) =>
    userId !== '' && by === 'text' && !isValidUsPhone(typed) ? messages.invalidPhone : undefined
  const found = {
    owner: isOn && owner.userId === '' ? 'Please choose an owner' : undefined,
    'duty.phone': phone(duty),
    'owner.phone': phone(owner),
  }
  return Object.fromEntries(Object.entries(found).filter(([, text]) => text !== undefined))
}

interface Props {
  saved: Watch
  onDirty: (isDirty: boolean) => void
}

/** The people who are told when new orders wait and no screen watches. */
export function WatchForm({ saved, onDirty }: Props) {
  const id = useId()
  const queryClient = useQueryClient()
  const { fields, setFields, settle } = useFollowed(toFields(saved), { sentOf })
  const [problems, setProblems] = useState<Problems>({})
  const changed = changedOf(fields, toFields(saved))
  const isDirty = Object.keys(changed).length > 0
  const tellDirty = useEffectEvent(onDirty)
  useEffect(() => tellDirty(isDirty), [isDirty])
  const show = (found: Problems): boolean => {
    showAtFields(document.getElementById(id), () => setProblems(found))
    return Object.keys(found).length > 0
  }
  const save = useMutation({
    mutationFn: ({ body }: { body: WatchSettings; sent: Fields }) =>
      call('PUT /m/v2/merchant/{tmk}/watch', { params: { tmk: merchantKey() }, body }),
    onSuccess: async (next, { sent }) => {
      await keepSaved(queryClient, watchQuery(merchantKey()), next)
      settle(sent, toFields(next))
      toast('success', 'Saved the watch')
    },
    onError: (error) => show(error instanceof CallError ? error.fieldErrors : {}),
  })
  const change = (part: Partial<Fields>): void => {
    setFields((before) => ({ ...before, ...part }))
    setProblems({})
  }
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (!show(problemsOf(fields)) && isDirty && !save.isPending) save.mutate({ body: changed, sent: fields })
  }
  return (
    <Block title="Nobody watching">
      <form className={formStyles.form} id={id} noValidate onSubmit={submit}>
        <p className={styles.hint}>
          A screen watches while it shows the desk, is awake and receives new orders. If new orders wait
          within the delivery hours and no screen has watched for {unwatchedMinutes} minutes, the person on
          duty is told; {unwatchedMinutes} minutes later the owner. They are told again only after a screen
          has watched, or when the store opens again.
        </p>
        <Standing saved={saved} />
        <Toggle
          label="Tell somebody when nobody watches"
          isOn={fields.isOn}
          onChange={(isOn) => change({ isOn })}
        />
        <Teller
          title="On duty"
          none="Nobody: tell the owner at once"
          people={saved.people}
          fields={fields.duty}
          problems={{ person: problems.duty, phone: problems['duty.phone'] }}
          onChange={(part) => change({ duty: { ...fields.duty, ...part } })}
        />
        <Teller
          title="Owner"
          none="Choose an owner"
          people={saved.people.filter((person) => person.is_owner)}
          fields={fields.owner}
          problems={{ person: problems.owner, phone: problems['owner.phone'] }}
          onChange={(part) => change({ owner: { ...fields.owner, ...part } })}
        />
        <SaveEnd isDirty={isDirty} save={save} />
      </form>
    </Block>
  )
}

function Standing({ saved: { screens, told_at: toldAt } }: { saved: Watch }) {
  const timezone = useTimezone()
  const watching = screens === 1 ? '1 screen watches now.' : `${screens} screens watch now.`
  return (
    <p>
      {watching}
      {toldAt !== null &&
        ` Somebody was last told on ${formatDate(toldAt, timezone)} at ${formatTime(toldAt, timezone)}.`}
    </p>
  )
}

interface TellerProps {
  title: string
  none: string
  people: Watch['people']
  fields: TellingFields
  problems: { person: string | undefined; phone: string | undefined }
  onChange: (part: Partial<TellingFields>) => void
}

function Teller({ title, none, people, fields, problems, onChange }: TellerProps) {
  const id = useId()
  return (
    <fieldset className={styles.teller}>
      <legend>{title}</legend>
      <div>
        <label className={styles.field}>
          Person
          <select
            value={fields.userId}
            aria-invalid={problems.person !== undefined}
            aria-describedby={problems.person ? `${id}-person` : undefined}
            onChange={({ currentTarget }) => onChange({ userId: currentTarget.value })}
          >
            <option value="">{none}</option>
            {people.map((person) => (
              <option key={person.id} value={person.id}>
                {person.name}
              </option>
            ))}
          </select>
        </label>
        <Problem id={`${id}-person`} text={problems.person} />
      </div>
      <WayFields
        label="By"
        fields={fields}
        isOff={fields.userId === ''}
        autoComplete="off"
        className={styles.field}
        hasProblem={problems.phone !== undefined}
        describedBy={problems.phone ? `${id}-phone` : undefined}
        onChange={onChange}
      >
        <Problem id={`${id}-phone`} text={problems.phone} />
      </WayFields>
    </fieldset>
  )
}

function Problem({ id, text }: { id: string; text: string | undefined }) {
  if (!text) return null
  return (
    <p className={styles.problem} id={id}>
      {text}
    </p>
  )
}
