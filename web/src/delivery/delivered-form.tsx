import { messages } from '@cellarhand/contract/messages'
import type { AgeCheckMethod } from '@cellarhand/contract/door-checks'
import type { NewAgeCheck } from '@cellarhand/contract/age-check-fields'
import { NativeSelect, TextInput } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { FormEvent } from 'react'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { CallError } from '#lib/calls/call.ts'
import { orderDutiesQuery } from '#duties/public.ts'
import { showAtFields } from '#lib/parts/use-form.ts'
import { shopToday } from '#lib/time/shop-day.ts'
import { zoneName } from '#lib/time/dates.ts'
import { serverNow } from '#lib/time/server-clock.ts'
import { useTimezone } from '#merchants/public.ts'
import type { Order, StepDialogProps } from '#orders/public.ts'
import { asSeen, useOrderCommand } from '#orders/public.ts'
import { merchantKey } from '#sign-in/public.ts'
import { Button } from '#ui/blocks/button.tsx'
import { DialogButtons } from '#ui/dialogs/dialog.tsx'
import type { DeliveredFields } from './delivered-on.ts'
import { deliveredOn, fieldsAt, isRealDate, isRealTime } from './delivered-on.ts'
import styles from './deliver-dialog.module.css'
import type { IdCheck } from './id-check-field.tsx'
import { asks, IdCheckField, isRefusing, lackingOf, noIdCheck, titleOf } from './id-check-field.tsx'
import { listenForLicence, takeScan } from './licence/listen-for-licence.ts'
import { problemWords } from './licence/problem-words.ts'
import type { Problem } from './licence/read-licence.ts'
import { hasFamilyName, readLicence, verdictOf } from './licence/read-licence.ts'
import { useRecordedId } from './recorded-id.tsx'

interface DeliveryInfo {
  delivered_on: string
  signed_by?: string
  delivered_by?: string
  age_check?: NewAgeCheck
}

type Problems = Partial<Record<keyof DeliveredFields, boolean>>

interface Props extends Pick<StepDialogProps, 'order'> {
  /** The order on which the clerk decides: another one's decision since then is told before the press counts. */
  seen: Order
  onSeen: (order: Order) => void
  onClose: () => void
  onRefused: (check: IdCheck) => void
  /** The first step has led here, with the ID that was chosen there: only what is still missing is asked. */
  start?: Start | undefined
}

/** What the clerk has said in the first step of the hand-over. */
export interface Start {
  readonly method: AgeCheckMethod | null
}

export function DeliveredForm({ order, seen, onSeen, onClose, onRefused, start }: Props) {
  const timezone = useTimezone()
  const form = useRef<HTMLFormElement>(null)
  /** A press, or a scan, that came before the rules of the order. */
  const [waiting, setWaiting] = useState<IdCheck>()
  const [fields, setFields] = useState<DeliveredFields>(() => fieldsAt(serverNow(), timezone))
  const [people, setPeople] = useState({ deliveredBy: '', signedBy: '' })
  const [check, setCheck] = useState({ ...noIdCheck, method: start?.method ?? null })
  const [scanProblem, setScanProblem] = useState<string>()
  const [problems, setProblems] = useState<Problems>({})
  const [asked, setAsked] = useState<keyof typeof asks>()
  const { needsCheck, needsScan, must, isAsking } = useNeeds(order)
  const recorded = useRecordedId(must)
  const close = useClosing({ order, seen, onSeen, onClose })
  const refused = close.error instanceof CallError ? Object.values(close.error.fieldErrors)[0] : undefined

  const change = (part: Partial<DeliveredFields>): void => {
    setFields({ ...fields, ...part })
    setProblems({})
    close.reset()
  }
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    deliver(check)
  }
  const deliver = (check: IdCheck): void => {
    if (close.isPending) return
    // Until the rules of the order are here, nobody knows what has to be recorded.
    setWaiting(isAsking ? check : undefined)
    if (isAsking) return
    const found = { date: !isRealDate(fields.date), time: !isRealTime(fields.time), half: fields.half === '' }
    showAtFields(form.current, () => setProblems(found))
    const moment = deliveredOn(fields, timezone)
    if (!moment) return
    if (isRefusing(check)) return onRefused(check)
    const lacking = lackingOf(check, { needsCheck, needsScan, recorded: order.age_check })
    if (lacking) {
      flushSync(() => setAsked(lacking))
      const first = lacking === 'scan' ? '[data-scan] button' : '[role="group"] button'
      form.current?.querySelector<HTMLElement>(first)?.focus()
      return
    }
    if (needsCheck && check.method && !recorded.isWhole) return showAtFields(form.current, recorded.demand)
    close.mutate({
      delivered_on: moment,
      ...(people.signedBy.trim() && { signed_by: people.signedBy.trim() }),
      ...(people.deliveredBy.trim() && { delivered_by: people.deliveredBy.trim() }),
      ...checkOf(check, recorded.typed),
    })
  }

  // A clerk scans an ID with the person before them: the scan is the last thing that was missing.
  const readScan = (text: string): void => {
    if (close.isPending) return
    const scanned = checkIn(text)
    if (typeof scanned === 'string') return setScanProblem(problemWords(scanned, needsScan))
    const isRecipient = hasFamilyName(text, order.recipient.last_name)
    flushSync(() => {
      setCheck(scanned)
      setAsked(undefined)
      setScanProblem(isRecipient || isRefusing(scanned) ? undefined : otherName)
    })
    close.reset()
    // Another adult may receive the order, but so may the page of another order be open: the clerk decides.
    if (isRecipient && !isRefusing(scanned)) deliver(scanned)
  }
  useScans(order, readScan)
  useOnceKnown(isAsking, () => waiting && deliver(waiting))
  const focusFirst = useEffectEvent(() => {
    if (start === undefined) return
    const missing = start.method === null && needsCheck ? '[role="group"] button' : '[type="submit"]'
    form.current?.querySelector<HTMLElement>(missing)?.focus()
  })
  useEffect(() => focusFirst(), [])

  return (
    <form ref={form} onSubmit={submit} noValidate className={styles.form}>
      <MomentFields
        fields={fields}
        problems={problems}
        isRefused={refused !== undefined}
        onChange={change}
        timezone={timezone}
      />
      <p className={styles.zone}>In the store’s time zone: {zoneName(serverNow(), timezone)}</p>
      <MomentProblem words={refused} {...{ fields, problems }} />
      <Forbidden order={order} words={refusalOf(close.error, 'duty_forbids')} onClose={onClose} />
      <People {...{ people, setPeople }} />
      <IdCheckField
        title={titleOf({ needsCheck, needsScan })}
        value={check}
        mustScan={needsScan}
        onChange={(changed) => {
          if (close.isPending) return
          flushSync(() => {
            setWaiting(undefined)
            setCheck(changed)
            setAsked(undefined)
            setScanProblem(undefined)
          })
          close.reset()
          // The clerk has pressed MARK DELIVERED, and only this was missing.
          const isRest = (asked ?? start) !== undefined && changed.method !== null && !isRefusing(changed)
          if (isRest) form.current?.querySelector<HTMLElement>('[type="submit"]')?.focus()
        }}
        problem={scanProblem ?? (asked ? asks[asked] : refusalOf(close.error, 'age_check_required'))}
      />
      <p className={styles.zone}>
        Compare the ID with the person. A hand scanner may then read it at any time: with the recipient’s
        family name on it, that marks the order delivered.
      </p>
      {check.method && recorded.part}
      <Ends
        {...{ check, onClose, onRefused }}
        isPending={close.isPending}
        isWaiting={waiting !== undefined}
      />
    </form>
  )
}

function checkIn(text: string): IdCheck | Problem {
  const today = shopToday()
  const licence = readLicence(text, today)
  return typeof licence === 'string'
    ? licence
    : { method: licence.kind, reading: { how: 'scanned', ...verdictOf(licence, today) } }
}

interface PeopleProps {
  people: { deliveredBy: string; signedBy: string }
  setPeople: (people: PeopleProps['people']) => void
}

function People({ people, setPeople }: PeopleProps) {
  return (
    <div className={styles.people}>
      <TextInput
        label="Delivered by"
        maxLength={200}
        value={people.deliveredBy}
        onChange={(event) => setPeople({ ...people, deliveredBy: event.currentTarget.value })}
      />
      <TextInput
        label="Signed by"
        maxLength={200}
        value={people.signedBy}
        onChange={(event) => setPeople({ ...people, signedBy: event.currentTarget.value })}
      />
    </div>
  )
}

interface MomentProblemProps {
  fields: DeliveredFields
  problems: Problems
  /** What the server said of them. */
  words: string | undefined
}

function MomentProblem({ fields, problems, words }: MomentProblemProps) {
  if (!words && !Object.values(problems).includes(true)) return null
  const isEmpty = (['date', 'time', 'half'] as const).some(
    (name) => problems[name] && fields[name].trim() === '',
  )
  return (
    <p role="alert" className={styles.problem}>
      {words ??
        (isEmpty
          ? messages.deliveredFieldsRequired
          : 'Please write the date as MM/DD/YYYY and the time as 12:00')}
    </p>
  )
}

interface EndsProps extends Pick<Props, 'onClose' | 'onRefused'> {
  check: IdCheck
  isPending: boolean
  isWaiting: boolean
}

function Ends({ check, isPending, isWaiting, onClose, onRefused }: EndsProps) {
  return (
    <DialogButtons>
      <Button look="plain" onClick={onClose} disabled={isPending}>
        CLOSE
      </Button>
      <Button
        look={isRefusing(check) ? 'primary' : 'plain'}
        onClick={() => onRefused(check)}
        disabled={isPending}
      >
        NOT HANDED OVER
      </Button>
      {!isRefusing(check) && (
        <Button type="submit" isBusy={isPending || isWaiting}>
          MARK DELIVERED
        </Button>
      )}
    </DialogButtons>
  )
}

/** A licence that was scanned on the order's page, or is scanned while the form is open. */
function useScans(order: Props['order'], onText: (text: string) => void): void {
  const take = useEffectEvent(onText)
  const takeFirst = useEffectEvent(() => {
    const before = takeScan(order)
    if (before !== undefined) take(before)
  })
  useEffect(() => {
    takeFirst()
    return listenForLicence({ isHere: () => true, onText: take })
  }, [order.id])
}

/** A scan or press that came before the rules of the order counts once they are known. */
function useOnceKnown(isAsking: boolean, goOn: () => void): void {
  const act = useEffectEvent(goOn)
  useEffect(() => {
    if (!isAsking) act()
  }, [isAsking])
}

/** The facts of the ID that are asked for. Until the shop's setting is known, the rule alone decides. */
export function useNeeds(order: Props['order']) {
  const { data: duties, isLoading: isAsking } = useQuery(orderDutiesQuery(merchantKey(), order))
  const rules = order.duties?.must.filter(({ kind }) => kind === 'age_check') ?? []
  return {
    needsCheck: duties?.needs_check ?? rules.length > 0,
    needsScan: duties?.needs_scan ?? rules.some(({ is_electronic: isElectronic }) => isElectronic),
    must: duties?.must,
    isAsking,
  }
}

interface ForbiddenProps extends Pick<Props, 'order' | 'onClose'> {
  words: string | undefined
}

/** The form stays with all that was typed, since the rule may be about the typed hour. */
function Forbidden({ order, words, onClose }: ForbiddenProps) {
  if (words === undefined) return null
  return (
    <p role="alert" className={styles.problem}>
      {words}{' '}
      <Link to="/orders/view/$id" params={{ id: order.id }} onClick={onClose}>
        See what can be done
      </Link>
    </p>
  )
}

const otherName =
  'The name on this ID is not that of the order’s recipient. Compare them, then press MARK DELIVERED.'

function checkOf(
  { method, reading }: IdCheck,
  fields: NewAgeCheck['fields'],
): Pick<DeliveryInfo, 'age_check'> {
  return method === null ? {} : { age_check: { method, reading, ...(fields && { fields }) } }
}

/** The rule's words: about the typed moment, or where the shop's setting has become stricter since the dialog opened. */
function refusalOf(error: Error | null, code: 'duty_forbids' | 'age_check_required'): string | undefined {
  return error instanceof CallError && error.code === code ? error.message : undefined
}

function useClosing({ order, seen, onSeen, onClose }: Omit<Props, 'onRefused'>) {
  const queryClient = useQueryClient()
  return useOrderCommand({
    event: 'Mark Delivered',
    order,
    // Two calls (API-035, API-036).
    send: async (info: DeliveryInfo, ask) => {
      const params = { tmk: merchantKey(), id: order.id }
      await ask('POST /m/v2/merchant/{tmk}/orders/{id}/data', {
        params,
        body: { ...info, ...asSeen(seen) },
      })
      return ask('POST /m/v2/orders/{id}', {
        params: { id: order.id },
        body: { id: order.id, ...asSeen(seen), status: 'CLOSED', delivery_info: info },
      })
    },
    success: messages.deliveryUpdated,
    onDone: onClose,
    onOvertaken: onSeen,
    showRefusal: () => true,
    onFailure: (error) => {
      const words = refusalOf(error, 'age_check_required')
      if (words !== undefined) void queryClient.invalidateQueries(orderDutiesQuery(merchantKey(), order))
      return words ?? refusalOf(error, 'duty_forbids')
    },
  })
}

interface MomentProps {
  fields: DeliveredFields
  problems: Problems
  isRefused: boolean
  timezone: string
  onChange: (part: Partial<DeliveredFields>) => void
}

function MomentFields({ fields, problems, isRefused, timezone, onChange }: MomentProps) {
  return (
    <div className={styles.moment}>
      <TextInput
        label="Delivery date"
        placeholder="MM/DD/YYYY"
        inputMode="numeric"
        maxLength={10}
        data-autofocus
        // Also when the form takes the place of the first step.
        autoFocus
        required
        value={fields.date}
        onChange={(event) => onChange({ date: event.currentTarget.value })}
        error={(problems.date ?? false) || isRefused}
      />
      <TextInput
        label="Time"
        placeholder="12:00"
        maxLength={5}
        required
        value={fields.time}
        onChange={(event) => onChange({ time: event.currentTarget.value })}
        error={problems.time ?? false}
      />
      <NativeSelect
        label="AM/PM"
        required
        data={[{ value: '', label: '' }, 'AM', 'PM']}
        value={fields.half}
        onChange={(event) => onChange({ half: event.currentTarget.value as DeliveredFields['half'] })}
        error={problems.half ?? false}
      />
      <Button look="plain" onClick={() => onChange(fieldsAt(serverNow(), timezone))}>
        Now
      </Button>
    </div>
  )
}
