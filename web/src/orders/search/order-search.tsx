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

const SearchAnswer = lazyPart(() => import('./search-answer.tsx'), 'SearchAnswer')

interface Props {
  id: string
  label: string
  placeholder?: string
  shortcut: string
  filterOf: (text: string) => SearchFilter
}

export function OrderSearch({ id, label, placeholder = label, shortcut, filterOf }: Props) {
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const [text, setText] = useState('')
  const [asked, setAsked] = useState('')
  const [isOpen, setOpen] = useState(false)
  const [active, setActive] = useState(-1)
  const trimmed = text.trim()

  const pause = usePause(trimmed, setAsked)

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
    const next = nextOf(active, hits.length, event.key === 'ArrowDown' ? 1 : -1)
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
            SearchAnswer.preload()
            setOpen(true)
          }}
          onKeyDown={onKeyDown}
        />
        <kbd aria-hidden>{shortcut}</kbd>
      </label>
      <div className={styles.panel} data-stale={!isAnswered || undefined} hidden={!isShown}>
        {isOpen && (
          <Suspense>
            <SearchAnswer
              id={id}
              label={label}
              hits={hits}
              filter={filter}
              active={active}
              onOpen={open}
              isShown={isShown}
              isError={search.isError}
              isAnswered={isAnswered}
              total={search.data?.total}
            />
          </Suspense>
        )}
      </div>
    </div>
  )
}

/** Asks when the typing stops for a moment; Enter clears the timer. */
function usePause(trimmed: string, ask: (text: string) => void) {
  const pause = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => {
    pause.current = setTimeout(() => ask(trimmed.length >= MIN_LENGTH ? trimmed : ''), PAUSE_MS)
    return () => clearTimeout(pause.current)
  }, [trimmed, ask])
  return pause
}

function nextOf(active: number, count: number, step: 1 | -1): number {
  return active === -1 && step === -1 ? count - 1 : (active + step + count) % count
}

/** The one order that can be meant: the only hit, or the one whose full number was typed. */
function onlyHit(hits: readonly Order[], { by, text }: SearchFilter): Order | undefined {
  if (hits.length === 1) return hits[0]
  return by === 'search' ? hits.find(({ id }) => id === text) : undefined
}
