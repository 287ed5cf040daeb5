import IconAdjustmentsHorizontal from '@tabler/icons-react/dist/esm/icons/IconAdjustmentsHorizontal.mjs'
import IconSearch from '@tabler/icons-react/dist/esm/icons/IconSearch.mjs'
import styles from './phone-tools.module.css'

/** What a phone shows above its list when asked to. */
export type ShownTools = 'filters' | 'search' | undefined

interface Props {
  shown: ShownTools
  onShow: (tools: ShownTools) => void
}

/** On a phone the orders come first: filters and search wait behind a button each. */
export function PhoneTools({ shown, onShow }: Props) {
  const search = (): void => {
    onShow(shown === 'search' ? undefined : 'search')
    // The fields are there for the keyboard all the time, only out of sight.
    if (shown !== 'search') document.getElementById('search-number')?.focus()
  }
  return (
    <span className={styles.tools}>
      <button
        type="button"
        className={styles.tool}
        aria-label="Filters and sort"
        aria-expanded={shown === 'filters'}
        onClick={() => onShow(shown === 'filters' ? undefined : 'filters')}
      >
        <IconAdjustmentsHorizontal size={20} aria-hidden />
      </button>
      <button
        type="button"
        className={styles.tool}
        aria-label="Search orders"
        aria-expanded={shown === 'search'}
        onClick={search}
      >
        <IconSearch size={20} aria-hidden />
      </button>
    </span>
  )
}
