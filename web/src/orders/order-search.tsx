import { messages } from '@cellarhand/contract/messages'
import { formatDollars } from '@cellarhand/contract/money'
import IconSearch from '@tabler/icons-react/dist/esm/icons/IconSearch.mjs'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { FocusEvent, KeyboardEvent } from 'react'
import { useEffect, useState } from 'react'
import { merchantKey } from '#sign-in/public.ts'
import type { Order, SearchFilter } from './queries.ts'
import { searchQuery } from './queries.ts'
import styles from './order-search.module.css'

const MIN_LENGTH = 3
const PAUSE_MS = 300

interface Props {
  id: string
  label: string
  placeholder?: string
  shortcut: string
  filterOf: (text: string) => SearchFilter
  noHit: (filter: SearchFilter) => string
}

export function OrderSearch({ id, label, placeholder = label, shortcut, filterOf, noHit }: Props) {
  const navigate = useNavigate()
  const [text, setText] = useState('')
  const [asked, setAsked] = useState('')
  const [isOpen, setOpen] = useState(false)
  const [active, setActive] = useState(-1)
  const trimmed = text.trim()

  useEffect(() => {
    const timer = setTimeout(() => setAsked(trimmed.length >= MIN_LENGTH ? trimmed : ''), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [trimmed])

  const filter = filterOf(asked)
  const search = useQuery({
    ...searchQuery(merchantKey(), filter),
    enabled: filter.text !== '',
    placeholderData: keepPreviousData,
  })
  const isAnswered = asked !== '' && search.isSuccess && !search.isPlaceholderData
  const hits = asked === '' ? [] : (search.data ?? [])
  const isShown = isOpen && asked !== '' && filter.text !== ''

  const close = (): void => {
    setOpen(false)
    setActive(-1)
  }
  const open = (order: Order): void => {
    close()
    setText('')
    setAsked('')
    void navigate({ to: '/orders/view/$id', params: { id: order.id } })
  }
  const onEnter = (): void => {
    const chosen =
      hits[active] ?? (isAnswered && hits.length === 1 && asked === trimmed ? hits[0] : undefined)
    if (chosen) return open(chosen)
    setAsked(trimmed)
    setOpen(true)
  }
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>): void => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Escape') {
      if (!isShown) event.currentTarget.blur()
      return close()
    }
    if (event.key === 'Enter') return onEnter()
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
    event.preventDefault()
    if (hits.length === 0) return
    const step = event.key === 'ArrowDown' ? 1 : -1
    const next = active === -1 && step === -1 ? hits.length - 1 : (active + step + hits.length) % hits.length
    setActive(next)
    document.getElementById(`${id}-${next}`)?.scrollIntoView({ block: 'nearest' })
  }
  const onBlur = (event: FocusEvent): void => {
    if (!event.currentTarget.contains(event.relatedTarget)) close()
  }

  return (
    <div className={styles.search} onBlur={onBlur}>
      <label className={styles.field}>
        <IconSearch size={16} aria-hidden />
        <input
          id={id}
          role="combobox"
          aria-label={label}
          aria-expanded={isShown && hits.length > 0}
          aria-controls={`${id}-hits`}
          aria-autocomplete="list"
          aria-activedescendant={active >= 0 ? `${id}-${active}` : undefined}
          autoComplete="off"
          spellCheck={false}
          placeholder={placeholder}
          value={text}
          onChange={(event) => {
            setText(event.currentTarget.value)
            setActive(-1)
            setOpen(true)
          }}
          onFocus={() => setOpen(true)}
          onKeyDown={onKeyDown}
        />
        <kbd aria-hidden>{shortcut}</kbd>
      </label>
      <div className={styles.panel} hidden={!isShown}>
        <div id={`${id}-hits`} role="listbox" aria-label={`${label} results`}>
          {hits.map((order, index) => (
            <Hit
              key={order.id}
              id={`${id}-${index}`}
              order={order}
              isActive={index === active}
              onOpen={() => open(order)}
            />
          ))}
        </div>
        <p className={styles.message} role="status">
          {isShown &&
            messageOf({ isError: search.isError, isAnswered, count: hits.length, noHit: noHit(filter) })}
        </p>
      </div>
    </div>
  )
}

interface Outcome {
  isError: boolean
  isAnswered: boolean
  count: number
  noHit: string
}

function messageOf({ isError, isAnswered, count, noHit }: Outcome): string {
  if (isError) return messages.somethingWentWrong
  if (!isAnswered) return 'Searching'
  return count === 0 ? noHit : ''
}

interface HitProps {
  id: string
  order: Order
  isActive: boolean
  onOpen: () => void
}

function Hit({ id, order, isActive, onOpen }: HitProps) {
  return (
    <div
      id={id}
      role="option"
      aria-selected={isActive}
      tabIndex={-1}
      className={styles.hit}
      onMouseDown={(event) => event.preventDefault()}
      onClick={onOpen}
    >
      <span className={styles.line}>
        <b>#{order.id}</b>
        <b>{formatDollars(order.transaction.total)}</b>
      </span>
      <span>
        To: {order.customer.first_name} {order.customer.last_name}
      </span>
      {order.items.map((item) => (
        <span key={item.id} className={styles.item}>
          <span>
            {item.quantity} × {item.name}
            {item.description && <small> {item.description}</small>}
          </span>
          <span>{formatDollars(item.price)}</span>
        </span>
      ))}
    </div>
  )
}
