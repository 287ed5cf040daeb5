import type { Hours, Weekday } from '@cellarhand/contract/merchants'
import { weekdays } from '@cellarhand/contract/merchants'
import { messages } from '@cellarhand/contract/messages'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { useEffect, useEffectEvent, useId, useState } from 'react'
import { track } from '#lib/reports/analytics.ts'
import { call, CallError } from '#lib/calls/call.ts'
import { keepSaved } from '#lib/calls/keep-saved.ts'
import { useFollowed } from '#lib/parts/use-followed.ts'
import { showAtFields } from '#lib/parts/use-form.ts'
import { merchantKey } from '#sign-in/public.ts'
import { Block } from '#ui/blocks/block.tsx'
import formStyles from '#ui/forms/form.module.css'
import { SaveEnd } from '#ui/forms/save-form.tsx'
import { toast } from '#ui/notes/toasts.tsx'
import { DayRow, dayName } from './day-row.tsx'
import styles from './delivery-hours.module.css'
import type { DayFields, WeekFields, WeekProblems } from './hours-form.ts'
import { problemsOfWeek, toHours, toWeek } from './hours-form.ts'
import { hoursQuery } from './company-queries.ts'

interface Props {
  hours: Hours
  timezone: string
  onDirty: (isDirty: boolean) => void
}

export function DeliveryHours({ hours, timezone, onDirty }: Props) {
  const id = useId()
  const queryClient = useQueryClient()
  const { fields: week, setFields: setWeek, settle } = useFollowed(toWeek(hours))
  const [problems, setProblems] = useState<WeekProblems>({})
  const isDirty = JSON.stringify(week) !== JSON.stringify(toWeek(hours))
  const tellDirty = useEffectEvent(onDirty)
  useEffect(() => tellDirty(isDirty), [isDirty])
  const show = (found: WeekProblems): boolean => {
    showAtFields(document.getElementById(id), () => setProblems(found))
    return Object.keys(found).length > 0
  }
  const save = useMutation({
    mutationFn: (given: WeekFields) =>
      call('PUT /c/v2/merchants/{tmk}/hours', { params: { tmk: merchantKey() }, body: toHours(given) }),
    onSuccess: async (next, given) => {
      await keepSaved(queryClient, hoursQuery(merchantKey()), next)
      settle(given, toWeek(next))
      toast('success', messages.hoursSaved)
      track('Save Delivery Hours')
    },
    onError: (error) => show(refusedDays(error)),
  })
  const change = (weekday: Weekday, part: Partial<DayFields>): void => {
    setWeek((before) => ({ ...before, [weekday]: { ...before[weekday], ...part } }))
    setProblems(({ [weekday]: _gone, ...rest }) => rest)
  }
  const copy = (weekday: Weekday): void => {
    setWeek((before) => Object.fromEntries(weekdays.map((day) => [day, before[weekday]])) as WeekFields)
    setProblems({})
    toast('success', `All days now show ${dayName(weekday)}’s hours. Save to apply them.`)
  }
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (!show(problemsOfWeek(week)) && isDirty && !save.isPending) save.mutate(week)
  }
  return (
    <Block title="Delivery Hours">
      <form className={formStyles.form} id={id} noValidate onSubmit={submit}>
        <p className={styles.hint}>
          In the store’s time zone, {timezone.replaceAll('_', ' ')}. On closed weekdays the one business day
          that a parcel has to leave does not run. On-demand orders are due two hours after they come in, at
          any time.
          {hours.regular_hours.length === 0 &&
            ' No day is saved as open, so Monday to Friday count as business days.'}
        </p>
        <div className={styles.week}>
          {weekdays.map((weekday) => (
            <DayRow
              key={weekday}
              weekday={weekday}
              day={week[weekday]}
              problem={problems[weekday]}
              onChange={(part) => change(weekday, part)}
              onCopy={() => copy(weekday)}
            />
          ))}
        </div>
        <SaveEnd isDirty={isDirty} save={save} />
      </form>
    </Block>
  )
}

function refusedDays(error: unknown): WeekProblems {
  const errors = error instanceof CallError ? error.fieldErrors : {}
  const found = weekdays.flatMap((weekday) => {
    const text = errors[weekday]
    return text === undefined ? [] : [[weekday, { field: 'closes-hour', text }] as const]
  })
  return Object.fromEntries(found)
}
