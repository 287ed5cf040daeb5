import { firstMessages as messages } from '@cellarhand/contract/first-messages'
import IconSearch from '@tabler/icons-react/dist/esm/icons/IconSearch.mjs'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { FocusEvent, KeyboardEvent } from 'react'
import { Suspense, useEffect, useRef, useState } from 'react'
import { lazyPart } from '#lib/parts/lazy-part.ts'
import { merchantKey } from '#sign-in/public.ts'
import type { Order, SearchFilter } from '../state/queries.ts'
import { searchQuery } from '../state/queries.ts'
import styles from './order-search.module.css'

const MIN_LENGTH = 3
const PAUSE_MS = 300

const SearchHits = lazyPart(() => import('./search-hits.tsx'), 'SearchHits')

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
  const queryClient = useQueryClient()
  const [text, setText] = useState('')
  const [asked, setAsked] = useState('')
  const [isOpen, setOpen] = useState(false)
  const [active, setActive] = useState(-1)
  const trimmed = text.trim()

  const pause = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => {
    pause.current = setTimeout(() => setAsked(trimmed.length >= MIN_LENGTH ? trimmed : ''), PAUSE_MS)
    return () => clearTimeout(pause.current)
  }, [trimmed])

  const filter = filterOf(asked)
  const search = useQuery({
    ...searchQuery(merchantKey(), filter),
    enabled: filter.text !== '',
    placeholderData: keepPreviousData,
  })
  const isAnswered = asked !== '' && search.isSuccess && !search.isPlaceholderData
  const hits = asked === '' ? [] : (search.data?.items ?? [])
  const isShown = isOpen && asked !== '' && filter.text !== ''

  const awaited = useRef<string | null>(null)
  const close = (): void => {
    awaited.current = null
    setOpen(false)
    setActive(-1)
  }
  const open = (order: Order): void => {
    close()
    setText('')
    setAsked('')
    void navigate({ to: '/orders/view/$id', params: { id: order.id } })
  }
  const only = isAnswered && asked === trimmed ? onlyHit(hits, filter) : undefined
  const onEnter = (): void => {
    const chosen = hits[active] ?? only
    if (chosen) return open(chosen)
    // Else the end of the pause would take a short text back.
    clearTimeout(pause.current)
    setAsked(trimmed)
    setOpen(true)
    const wanted = filterOf(trimmed)
    if (wanted.text === '') return
    // A scanner types a number and presses Enter before any answer: the only hit opens when the answer arrives.
    awaited.current = trimmed
    queryClient.fetchQuery(searchQuery(merchantKey(), wanted)).then(
      ({ items }) => {
        const hit = onlyHit(items, wanted)
        if (hit && awaited.current === trimmed) open(hit)
      },
      () => undefined,
    )
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
            awaited.current = null
            setActive(-1)
            setOpen(true)
          }}
          onFocus={() => {
            SearchHits.preload()
            setOpen(true)
          }}
          onKeyDown={onKeyDown}
        />
        <kbd aria-hidden>{shortcut}</kbd>
      </label>
      <div className={styles.panel} data-stale={!isAnswered || undefined} hidden={!isShown}>
        {hits.length > 0 && (
          <Suspense>
            <SearchHits id={id} label={label} hits={hits} filter={filter} active={active} onOpen={open} />
          </Suspense>
        )}
        <p className={styles.message} role="status">
          {isShown &&
            messageOf({
              isError: search.isError,
              isAnswered,
              count: hits.length,
              total: search.data?.total ?? 0,
              noHit: noHit(filter),
            })}
        </p>
      </div>
    </div>
  )
}

/** The one order that can be meant: the only hit, or the one whose full number was typed. */
function onlyHit(hits: readonly Order[], { by, text }: SearchFilter): Order | undefined {
  if (hits.length === 1) return hits[0]
  return by === 'search' ? hits.find(({ id }) => id === text) : undefined
}

interface Outcome {
  isError: boolean
  isAnswered: boolean
  count: number
  total: number
  noHit: string
}

function messageOf({ isError, isAnswered, count, total, noHit }: Outcome): string {
  if (isError) return `${messages.somethingWentWrong}. Press Enter to try again.`
  if (!isAnswered) return 'Searching'
  if (count === 0) return noHit
  if (total <= count) return ''
  return `The newest ${count} are shown. Type more to find the one.`
}
