import { messages } from '@cellarhand/contract/messages'
import { isValidUsPhone } from '@cellarhand/contract/phone'
import { unwatchedMinutes, type DutyWish, type OnDuty } from '@cellarhand/contract/watch'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { useId, useState } from 'react'
import { call, CallError } from '#lib/calls/call.ts'
import { keepSaved } from '#lib/calls/keep-saved.ts'
import { reasonOf } from '#lib/calls/reason-of.ts'
import { showAtFields } from '#lib/parts/use-form.ts'
import { merchantKey, session, useCan } from '#sign-in/public.ts'
import { Button } from '#ui/blocks/button.tsx'
import { WayFields } from '#ui/forms/way-fields.tsx'
import { wayLabels } from '#ui/forms/way-labels.ts'
import { FailedNote } from '#ui/notes/notes.tsx'
import { toast } from '#ui/notes/toasts.tsx'
import styles from './duty-card.module.css'
import { dutyQuery } from './queries.ts'
import pageStyles from './shift-page.module.css'

/** The person who is told first when nobody watches; any clerk of the next shift can take the duty. */
export function DutyCard() {
  const can = useCan()
  const { data, isError, refetch } = useQuery(dutyQuery(merchantKey()))
  const hasFailed = isError && data === undefined
  if (!hasFailed && !data?.is_on) return null
  return (
    <section className={pageStyles.card} aria-labelledby="shift-duty">
      <h2 id="shift-duty">On duty</h2>
      {hasFailed && (
        <FailedNote text="The person on duty could not be loaded." onRetry={() => void refetch()} />
      )}
      {data && (
        <div className={styles.body}>
          <Person person={data.person} />
          {can('orders.fulfil') && <TakeDuty person={data.person} />}
        </div>
      )}
    </section>
  )
}

function Person({ person }: Pick<OnDuty, 'person'>) {
  return (
    <div>
      <p className={styles.name}>
        {person?.name ?? 'Nobody'}
        {person?.is_self && (
          <span className={styles.hint}>
            {' '}
            (you{person.by && `, by ${wayLabels[person.by].toLowerCase()}`})
          </span>
        )}
      </p>
      <p className={styles.hint}>
        {person === null
          ? 'An owner is told at once when new orders wait and no screen watches.'
          : `Is told when new orders wait and no screen has watched for ${unwatchedMinutes} minutes.`}
      </p>
    </div>
  )
}

function TakeDuty({ person }: Pick<OnDuty, 'person'>) {
  const id = useId()
  const queryClient = useQueryClient()
  const [chosen, setChosen] = useState<DutyWish['by']>()
  const [typed, setTyped] = useState<string>()
  const own = session.use().user?.phone_number ?? ''
  // The number in force is known to managers alone, and may be another one.
  const isByText = person?.is_self === true && person.by === 'text'
  const phone = typed ?? (isValidUsPhone(own) && !isByText ? own : '')
  const [problem, setProblem] = useState<string>()
  const by = chosen ?? person?.by ?? 'mail'
  const show = (text: string | undefined): void =>
    showAtFields(document.getElementById(id), () => setProblem(text))
  const take = useMutation({
    mutationFn: (body: DutyWish) =>
      call('PUT /m/v2/merchant/{tmk}/watch/duty', { params: { tmk: merchantKey() }, body }),
    onSuccess: async (next) => {
      await keepSaved(queryClient, dutyQuery(merchantKey()), next)
      setChosen(undefined)
      setTyped(undefined)
      toast('success', 'You are on duty')
    },
    onError: (error) => {
      if (!(error instanceof CallError)) return
      show(error.fieldErrors['phone'])
      if (error.code === 'watch_off') void queryClient.invalidateQueries(dutyQuery(merchantKey()))
    },
  })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (take.isPending) return
    if (by === 'text' && !isValidUsPhone(phone)) return show(messages.invalidPhone)
    take.mutate({ by, phone: by === 'text' ? phone.trim() : null })
  }
  return (
    <form className={styles.form} id={id} noValidate onSubmit={submit}>
      <WayFields
        label="Tell me by"
        fields={{ by, phone }}
        autoComplete="tel"
        className={styles.field}
        hasProblem={problem !== undefined}
        describedBy={`${id}-${problem ? 'problem' : 'readers'}`}
        onChange={(part) => {
          if (part.by !== undefined) setChosen(part.by)
          if (part.phone !== undefined) setTyped(part.phone)
          setProblem(undefined)
        }}
      />
      <Button type="submit" look={person?.is_self ? 'plain' : 'primary'} isBusy={take.isPending}>
        {person?.is_self ? 'Tell me this way' : 'I am on duty'}
      </Button>
      {problem && (
        <p className={styles.problem} id={`${id}-problem`}>
          {problem}
        </p>
      )}
      {by === 'text' && (
        <p className={styles.hint} id={`${id}-readers`}>
          Managers and owners can read the number in Settings, Alarms.
        </p>
      )}
      {take.isError && problem === undefined && (
        <p className={styles.problem} role="alert">
          {reasonOf(take.error) ?? 'The duty could not be taken. Please try again.'}
        </p>
      )}
    </form>
  )
}
