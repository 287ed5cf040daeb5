import { formatDollars } from '@cellarhand/contract/money'
import { formatPhone, isValidUsPhone } from '@cellarhand/contract/phone'
import { Radio, TextInput } from '@mantine/core'
import { queryOptions, useQuery } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { useState } from 'react'
import { call, CallError } from '#lib/calls/call.ts'
import { merchantKey } from '#sign-in/public.ts'
import { Spinner } from '#ui/blocks/spinner.tsx'
import { FormButtons, FormDialog } from '#ui/dialogs/form-dialog.tsx'
import { FailedNote } from '#ui/notes/notes.tsx'
import styles from './substitute-dialog.module.css'
import dialogStyles from './dialogs.module.css'
import { MovedOnNotice } from './moved-on-notice.tsx'
import { canOffer, differenceWords } from '../order/substitute-words.ts'
import type { Order } from '../state/queries.ts'
import { choicesFor, matching, type Choice } from './substitute-choices.ts'
import { asSeen } from '../state/seen-version.ts'
import { newerOf, useOrderCommand } from './use-order-command.ts'

const stockLine = 'GET /c/v2/merchants/{tmk}/offerings'
const settingsLine = 'GET /m/v2/merchant/{tmk}/substitutes'
const shownAtMost = 40
const offeredAtMost = 2

function stockQuery(tmk: string) {
  return queryOptions({
    queryKey: [stockLine, tmk, 'substitutes'],
    queryFn: async ({ signal }) => (await call(stockLine, { params: { tmk }, query: {} }, { signal })).items,
    structuralSharing: false,
  })
}

function settingsQuery(tmk: string) {
  return queryOptions({
    queryKey: [settingsLine, tmk],
    queryFn: ({ signal }) => call(settingsLine, { params: { tmk } }, { signal }),
    staleTime: 0,
  })
}

interface Props {
  order: Order
  item: Order['items'][number]
  onClose: () => void
}

/** The clerk picks one or two bottles of the shop, and how the customer is asked. */
export function SubstituteDialog({ order: given, item, onClose }: Props) {
  const [overtakenBy, setOvertakenBy] = useState(given)
  const order = newerOf(given, overtakenBy)
  const ways = waysTo(order)
  const [typed, setTyped] = useState('')
  const [chosen, setChosen] = useState<readonly Choice[]>([])
  const [by, setBy] = useState(ways[0]?.by)
  const [problem, setProblem] = useState<string>()
  const missing = order.shortage?.lines.find(({ line_id: id }) => id === item.id)?.missing ?? 0
  const offer = useOffer({ order, onClose, onOvertaken: setOvertakenBy })
  const isLeft = !canOffer(order, item.id) && !offer.isPending
  const choose = (choice: Choice, isOn: boolean): void => {
    setProblem(undefined)
    offer.reset()
    setChosen((before) => (isOn ? [...before, choice] : before.filter(({ id }) => id !== choice.id)))
  }
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (offer.isPending || by === undefined) return
    if (chosen.length === 0) return setProblem('Choose at least one bottle.')
    offer.mutate({ ...asSeen(order), line_id: item.id, offerings: chosen.map(({ id }) => id), by })
  }
  return (
    <FormDialog title="Offer a Substitute" onClose={onClose}>
      <form onSubmit={submit} noValidate className={dialogStyles.form}>
        <MovedOnNotice order={order} action="report_items" still="Look at the order before you ask again." />
        {isLeft && (
          <p role="status" className={dialogStyles.problem}>
            The customer is asked about this line already, or no piece of it is missing any more.
          </p>
        )}
        <p>
          Missing: <b>{missing} ×</b> <bdi>{item.name}</bdi> {item.product?.container_size},{' '}
          {formatDollars(item.price)} each
        </p>
        <TextInput
          label="Find a bottle"
          placeholder="Name, brand or size"
          autoComplete="off"
          maxLength={100}
          data-autofocus
          value={typed}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
        />
        <Bottles {...{ item, missing, typed, chosen }} onChoose={choose} />
        <Ways ways={ways} by={by} onChange={setBy} />
        <Silence chosen={chosen} />
        {(problem ?? problemOf(offer.error)) && (
          <p role="alert" className={dialogStyles.problem}>
            {problem ?? problemOf(offer.error)}
          </p>
        )}
        <FormButtons onClose={onClose} isBusy={offer.isPending} isDisabled={isLeft || by === undefined}>
          ASK CUSTOMER
        </FormButtons>
      </form>
    </FormDialog>
  )
}

function problemOf(error: Error | null): string | undefined {
  if (!(error instanceof CallError)) return undefined
  return Object.values(error.fieldErrors)[0] ?? error.message
}

interface BottlesProps {
  item: Order['items'][number]
  missing: number
  typed: string
  chosen: readonly Choice[]
  onChoose: (choice: Choice, isOn: boolean) => void
}

function Bottles({ item, missing, typed, chosen, onChoose }: BottlesProps) {
  const stock = useQuery(stockQuery(merchantKey()))
  if (stock.isError && !stock.data)
    return <FailedNote text="The stock list could not be loaded." onRetry={() => void stock.refetch()} />
  if (!stock.data)
    return (
      <div className={styles.pending}>
        <Spinner label="Loading the stock list" />
      </div>
    )
  const found = matching(choicesFor(stock.data, { item, missing }), typed)
  const ids = new Set(chosen.map(({ id }) => id))
  const others = found.filter(({ id }) => !ids.has(id)).slice(0, shownAtMost)
  const isFull = chosen.length >= offeredAtMost
  return (
    <fieldset className={styles.bottles}>
      <legend>
        Bottles to offer{' '}
        <span className={styles.quiet}>
          {isFull ? 'Two are chosen.' : 'One or two, the better one first'}
        </span>
      </legend>
      <div className={styles.list}>
        {[...chosen, ...others].map((choice) => (
          <label key={choice.id} className={styles.bottle}>
            <input
              type="checkbox"
              checked={ids.has(choice.id)}
              disabled={isFull && !ids.has(choice.id)}
              onChange={({ currentTarget }) => onChoose(choice, currentTarget.checked)}
            />
            <BottleWords choice={choice} place={chosen.findIndex(({ id }) => id === choice.id)} />
          </label>
        ))}
        {found.length === 0 && (
          <p className={styles.quiet} role="status">
            {typed.trim() === ''
              ? `No other bottle has ${missing} in stock.`
              : 'No bottle with these words has enough in stock.'}
          </p>
        )}
      </div>
      {found.length > shownAtMost && (
        <p className={styles.quiet}>The nearest {shownAtMost} are shown. Type to find others.</p>
      )}
    </fieldset>
  )
}

function BottleWords({ choice, place }: { choice: Choice; place: number }) {
  return (
    <span className={styles.words}>
      <span>
        {place >= 0 && <b>{place + 1}. </b>}
        <bdi>{choice.name}</bdi> <span className={styles.quiet}>{choice.size}</span>
      </span>
      <span className={styles.price}>
        {formatDollars(choice.price)}{' '}
        <span className={styles.quiet}>
          {differenceWords(choice.difference)}, {choice.quantity} in stock
        </span>
      </span>
    </span>
  )
}

interface Way {
  readonly by: 'text' | 'mail'
  readonly label: string
}

/** How the customer of an order can be asked. */
function waysTo({ customer: { phone_number: phone, email } }: Order): Way[] {
  return [
    phone !== null && isValidUsPhone(phone)
      ? { by: 'text' as const, label: `Text message to ${formatPhone(phone)}` }
      : undefined,
    email ? { by: 'mail' as const, label: `Mail to ${email}` } : undefined,
  ].filter((way) => way !== undefined)
}

interface WaysProps {
  ways: readonly Way[]
  by: Way['by'] | undefined
  onChange: (by: Way['by']) => void
}

function Ways({ ways, by, onChange }: WaysProps) {
  const [only] = ways
  if (only === undefined)
    return (
      <p role="status" className={dialogStyles.problem}>
        The order has no phone number or e-mail of the customer. Please ask the marketplace.
      </p>
    )
  if (ways.length === 1) return <p className={styles.quiet}>{only.label}</p>
  return (
    <Radio.Group label="How to ask" value={by ?? ''} onChange={(picked) => onChange(picked as Way['by'])}>
      <div className={styles.ways}>
        {ways.map((way) => (
          <Radio key={way.by} value={way.by} label={way.label} />
        ))}
      </div>
    </Radio.Group>
  )
}

/** What the customer is told, by the settings of the shop. */
function Silence({ chosen }: { chosen: readonly Choice[] }) {
  const { data } = useQuery(settingsQuery(merchantKey()))
  if (!data) return null
  const free = chosen.find(({ difference }) => difference <= 0)
  const words = {
    refund: 'the missing pieces are refunded',
    take_first: free
      ? `${free.name} is taken`
      : 'they are refunded, since no chosen bottle costs the same or less',
    reject: 'the order is rejected',
  }
  return (
    <p className={styles.quiet}>
      The customer has {data.minutes} minutes. Without an answer{' '}
      {chosen.length === 0 && data.silence === 'take_first'
        ? 'the first bottle that costs no more is taken'
        : words[data.silence]}
      .
    </p>
  )
}

interface OfferBody {
  version?: number
  line_id: string
  offerings: string[]
  by: Way['by']
}

function useOffer({
  order,
  onClose,
  onOvertaken,
}: {
  order: Order
  onClose: () => void
  onOvertaken: (current: Order) => void
}) {
  return useOrderCommand({
    event: 'Offer Substitutes',
    order,
    send: (body: OfferBody, ask) =>
      ask('POST /m/v2/merchant/{tmk}/orders/{id}/substitutes', {
        params: { tmk: merchantKey(), id: order.id },
        body,
      }),
    success: 'Asked the customer',
    failure: 'The customer was not asked',
    onDone: () => {
      onClose()
      return 'stay'
    },
    onOvertaken,
    showRefusal: () => true,
    onFailure: problemOf,
  })
}
