import { displayGroupLabels, methodFilterLabel } from '@cellarhand/contract/labels'
import { useQuery } from '@tanstack/react-query'
import type { FormEvent, KeyboardEvent } from 'react'
import { use, useEffect, useId, useRef, useState } from 'react'
import { afterPaint } from '#lib/parts/after-paint.ts'
import { merchantKey } from '#sign-in/public.ts'
import { Button } from '#ui/blocks/button.tsx'
import { ClosePanel } from '#ui/dialogs/drop-panel.tsx'
import { facetsQuery, filterNamesQuery } from './filter-queries.ts'
import styles from './filter-panels.module.css'
import type { ListView } from '../state/list-view.ts'
import { statusOf } from '../state/list-view.ts'
import type { Facets } from '../state/queries.ts'

interface Props {
  view: ListView
  facets: Facets | undefined
  onChoose: (value: string | undefined) => void
}

interface Choice {
  value: string
  name: string
  count: number
}

const number = new Intl.NumberFormat('en-US')

/** One of several, applied at once: the list follows each choice, and a mouse press closes the panel. */
export function ChoicePanel({ by, view, facets, onChoose }: Props & { by: 'brand' | 'method' }) {
  const close = use(ClosePanel)
  const name = useId()
  const list = useFocusWithin()
  const [chosen, setChosen] = useState(view[by])
  const counted = choicesOf(by, useFreshFacets(view, facets))
  const known = useKnown(by)
  const choices = withMissing(withMissing(counted, known), chosen === undefined ? [] : [nameOf(by, chosen)])
  const all = { value: '', name: by === 'brand' ? 'All brands' : 'All methods', count: undefined }
  return (
    <div
      ref={list}
      className={styles.list}
      role="radiogroup"
      aria-label={by === 'brand' ? 'Brand' : 'Method'}
    >
      {[all, ...choices].map((choice) => (
        <label key={choice.value} className={styles.choice}>
          <input
            type="radio"
            name={name}
            checked={choice.value === (chosen ?? '')}
            onChange={() => {
              const value = choice.value || undefined
              setChosen(value)
              afterPaint(() => onChoose(value))
            }}
            // The arrow keys press too, but without a pointer, and the clerk may go on choosing.
            onClick={(event) => event.detail > 0 && close()}
            onKeyDown={(event) => event.key === 'Enter' && close()}
          />
          <span>{choice.name}</span>
          {choice.count !== undefined && <b>{number.format(choice.count)}</b>}
        </label>
      ))}
    </div>
  )
}

/** Several at a time, so they are applied together. */
export function StatusPanel({ view, facets, onChoose }: Props) {
  const close = use(ClosePanel)
  const form = useFocusWithin<HTMLFormElement>()
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set(view.status?.split(',')))
  const known = useFreshFacets(view, facets)?.status.options ?? []
  const missing = [...chosen].filter((value) => !known.some((option) => option.value === value))
  const labels: Record<string, string> = displayGroupLabels
  const options = [...known, ...missing.map((value) => ({ value, name: labels[value] ?? value, count: 0 }))]
  const apply = (event: FormEvent): void => {
    event.preventDefault()
    close()
    afterPaint(() => onChoose(statusOf(chosen)))
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || !(event.target instanceof HTMLInputElement)) return
    event.preventDefault()
    form.current?.requestSubmit()
  }
  return (
    <form ref={form} onSubmit={apply} onKeyDown={onKeyDown}>
      <div className={styles.list}>
        {options.map((option) => (
          <label key={option.value} className={styles.choice}>
            <input
              type="checkbox"
              checked={chosen.has(option.value)}
              onChange={(event) => {
                const next = new Set(chosen)
                if (event.currentTarget.checked) next.add(option.value)
                else next.delete(option.value)
                setChosen(next)
              }}
            />
            <span>{option.name}</span>
            <b>{number.format(option.count)}</b>
          </label>
        ))}
      </div>
      <div className={styles.apply}>
        <Button type="submit">Apply Selections</Button>
      </div>
    </form>
  )
}

/** The list's own figures at once, then fresh ones as soon as they arrive. */
function useFreshFacets(view: ListView, facets: Facets | undefined): Facets | undefined {
  // The panel opens first, with the counts that are known.
  const [isPainted, setIsPainted] = useState(false)
  useEffect(() => afterPaint(() => setIsPainted(true)), [])
  return useQuery({ ...facetsQuery(merchantKey(), view), enabled: isPainted }).data ?? facets
}

function choicesOf(by: 'brand' | 'method', facets: Facets | undefined): Choice[] {
  if (by === 'method') return facets?.delivery_method?.options ?? []
  return (facets?.application_ref.options ?? []).map(({ uuid, ...option }) => ({ ...option, value: uuid }))
}

type Named = Omit<Choice, 'count'>

/** Every brand or method that the merchant has; the list's answer counts those alone that it holds. */
function useKnown(by: 'brand' | 'method'): Named[] {
  const { data } = useQuery(filterNamesQuery(merchantKey()))
  if (by === 'method') return (data?.delivery_methods.options ?? []).map(({ name }) => nameOf(by, name))
  return (data?.application.options ?? []).map(({ name, uuid }) => ({ value: uuid, name }))
}

/** The name of a choice from an address or an earlier visit, which no answer names. */
function nameOf(by: 'brand' | 'method', value: string): Named {
  return { value, name: by === 'method' ? methodFilterLabel(value) : value }
}

function withMissing(choices: readonly Choice[], named: readonly Named[]): Choice[] {
  const missing = named.filter(({ value }) => !choices.some((choice) => choice.value === value))
  return [...choices, ...missing.map((each) => ({ ...each, count: 0 }))]
}

function useFocusWithin<E extends HTMLElement = HTMLDivElement>() {
  const box = useRef<E>(null)
  useEffect(() => {
    const inputs = [...(box.current?.querySelectorAll('input') ?? [])]
    const [first] = inputs
    ;(inputs.find((input) => input.checked) ?? first)?.focus()
  }, [])
  return box
}
