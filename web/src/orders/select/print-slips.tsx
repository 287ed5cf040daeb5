import { slipsCountedAtMost } from '@cellarhand/contract/live'
import { firstMessages as messages } from '@cellarhand/contract/first-messages'
import IconPrinter from '@tabler/icons-react/dist/esm/icons/IconPrinter.mjs'
import { useQuery } from '@tanstack/react-query'
import { use, useRef, useState } from 'react'
import { call, follow } from '#lib/calls/call.ts'
import { useShortcuts } from '#lib/keys/shortcuts.ts'
import { merchantKey } from '#sign-in/public.ts'
import { Button } from '#ui/blocks/button.tsx'
import { DialogPart } from '#ui/dialogs/dialog.tsx'
import { toast } from '#ui/notes/toasts.tsx'
import { belongsTo, toFilterQuery, type ListView } from '../state/list-view.ts'
import { listLine, queueQuery, type Facets, type Order, type OrderPage } from '../state/queries.ts'
import { selection, toSelected, type Selected } from '../state/selection.ts'
import { DeskTools } from './desk-tools.ts'
import styles from './print-slips.module.css'

const LARGEST_PAGE = 100

interface Props {
  view: ListView
  facets: Facets | undefined
}

/** Prints the slips of all orders of the view that are still in the shop and have none, without a selection. */
export function PrintSlips({ view, facets }: Props) {
  const slips = use(DeskTools).bulk?.slips
  const [found, setFound] = useState<readonly Selected[]>([])
  const [isBusy, setBusy] = useState(false)
  const isLooking = useRef(false)
  const hasSelection = selection.use().size > 0
  const missing = useMissing(view, facets)
  const print = (): void => {
    if (isLooking.current) return
    isLooking.current = true
    setBusy(true)
    findMissing(view)
      .then(
        (orders) => {
          if (orders.length === 0) toast('success', 'All slips are printed')
          setFound(orders.map(toSelected))
        },
        () => toast('error', messages.ordersFetchFailed),
      )
      .finally(() => {
        isLooking.current = false
        setBusy(false)
      })
  }
  // Caps Lock alone is a slip of the finger on "p", and would print a hundred pages.
  useShortcuts(hasSelection || !slips ? {} : { P: ({ shiftKey }) => shiftKey && print() })
  if (!slips) return null
  const Dialog = slips
  const close = (): void => setFound([])
  return (
    <span className={styles.place} data-commands>
      <Button
        look="plain"
        isBusy={isBusy}
        title="Print the packing slips that are missing, in due order"
        onPointerEnter={slips.preload}
        onFocus={slips.preload}
        onClick={print}
      >
        <IconPrinter size={16} aria-hidden />
        {words(missing)} <kbd aria-hidden>P</kbd>
      </Button>
      {found.length > 0 && (
        <DialogPart title="Packing Slips" onClose={close}>
          <Dialog selected={found} onClose={close} onDone={() => undefined} />
        </DialogPart>
      )}
    </span>
  )
}

function words(missing: number | undefined): string {
  if (!missing) return 'Print slips'
  if (missing === 1) return 'Print 1 slip'
  return `Print ${missing < slipsCountedAtMost ? missing : `${slipsCountedAtMost - 1}+`} slips`
}

/** Undefined in a view of orders that the server does not count by their slips. */
function useMissing({ status, method, brand, ...view }: ListView, facets: Facets | undefined) {
  const told = useQuery({ ...queueQuery(merchantKey()), enabled: false }).data
  if (view.due ?? view.mine ?? view.needs_a_look) return undefined
  const isWhole = (status ?? method ?? brand) === undefined
  return isWhole && told ? (told.slips ?? 0) : (facets?.slips?.missing ?? 0)
}

/** Asks the server at each press, because a colleague may have printed some of them meanwhile. */
async function findMissing(view: ListView): Promise<Order[]> {
  const { due: _due, mine: _mine, needs_a_look: _look, ...counted } = view
  const query = {
    limit: LARGEST_PAGE,
    offset: 0,
    ...toFilterQuery({ ...counted, sort: 'due' }),
    'filter[slip]': 'missing' as const,
  }
  const found: Order[] = []
  let page: OrderPage = await call(listLine, { params: { tmk: merchantKey() }, query })
  for (;;) {
    found.push(...page.items.filter((order) => order.printed_timestamp === null && belongsTo(view, order)))
    // More than that is printed by the next press, since these then have their slips.
    if (page.next_url === null || found.length >= slipsCountedAtMost) return found
    page = await follow<typeof listLine>(page.next_url)
  }
}
