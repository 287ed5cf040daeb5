import { useQuery } from '@tanstack/react-query'
import { merchantKey, session } from '#sign-in/public.ts'
import styles from './class-choice.module.css'
import { SavedViews } from './saved-views.tsx'
import { ViewTools } from '../select/view-tools.tsx'
import { isPartOfTab, type ListView, type SearchChange } from '../state/list-view.ts'
import type { Facets } from '../state/queries.ts'
import { queueQuery } from '../state/queries.ts'

/** The server counts no more than a thousand of a class. */
function countWords(count: number): string {
  return count > 999 ? '999+' : String(count)
}

interface ClassProps {
  view: ListView
  facets: Facets | undefined
  onChoose: (change: SearchChange) => void
}

/** One of All, Late, Due soon, Mine and Needs a look. The stream tells the counts of the whole tab, a filtered list its own. */
export function ClassChoice({ view, facets, onChoose }: ClassProps) {
  const isWhole = !isPartOfTab(view)
  const queue = useQuery({ ...queueQuery(merchantKey()), enabled: false }).data
  // Orders of another tab are neither due nor anybody's.
  const told = view.tab === 'active' ? queue : undefined
  const { late, soon } = { ...facets?.due, ...(isWhole && told) }
  const looks = (isWhole && told ? told.needs_a_look : facets?.needs_a_look?.count) ?? 0
  const own = told?.clerks?.find(({ by }) => by === session.get().user?.id)?.n ?? 0
  const classes = [
    ...(late === undefined || soon === undefined
      ? []
      : [
          { name: 'Late', count: late, search: { due: 'late' }, hue: 'red' },
          { name: 'Due soon', count: soon, search: { due: 'soon' }, hue: 'amber' },
        ]),
    ...(own > 0 || view.mine
      ? [{ name: 'Mine', count: isWhole ? own : undefined, search: { mine: 'yes' }, hue: 'teal' }]
      : []),
    ...(looks > 0 || view.needs_a_look
      ? [{ name: 'Needs a look', count: looks, search: { needs_a_look: '1' }, hue: 'red' }]
      : []),
  ]
  const none = { due: undefined, needs_a_look: undefined, mine: undefined }
  const chosen = view.due ?? (view.mine ? 'Mine' : view.needs_a_look && 'Needs a look')
  return (
    <>
      <SavedViews view={view} />
      {classes.length > 0 && (
        <div className={styles.classes} role="group" aria-label="Show">
          <button type="button" aria-pressed={chosen === undefined} onClick={() => onChoose(none)}>
            All
          </button>
          {classes.map(({ name, count, search, hue }) => {
            const isChosen = chosen === ('due' in search ? search.due : name)
            return (
              <button
                key={name}
                type="button"
                aria-pressed={isChosen}
                data-hue={hue}
                onClick={() => onChoose(isChosen ? none : { ...none, ...search })}
              >
                {name} {count !== undefined && <b>{countWords(count)}</b>}
              </button>
            )
          })}
        </div>
      )}
      {view.tab === 'active' && <ViewTools view={view} facets={facets} />}
    </>
  )
}
