import { allowedActions } from '../state/allowed-actions.ts'
import { bulkLimit } from '@cellarhand/contract/bulk'
import { firstMessages as messages } from '@cellarhand/contract/first-messages'
import { slipsCountedAtMost, type Queue } from '@cellarhand/contract/live'
import IconChecks from '@tabler/icons-react/dist/esm/icons/IconChecks.mjs'
import IconPrinter from '@tabler/icons-react/dist/esm/icons/IconPrinter.mjs'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { use, useRef, useState } from 'react'
import { call, follow } from '#lib/calls/call.ts'
import { useShortcuts } from '#lib/keys/shortcuts.ts'
import { merchantKey } from '#sign-in/public.ts'
import { Button } from '#ui/blocks/button.tsx'
import { DialogPart } from '#ui/dialogs/dialog.tsx'
import { tellFailure, toast } from '#ui/notes/toasts.tsx'
import { told } from '#ui/notes/told.ts'
import { belongsTo, isMine, toFilterQuery, type ListView } from '../state/list-view.ts'
import {
  listLine,
  ordersQuery,
  queueQuery,
  type Facets,
  type Order,
  type OrderPage,
} from '../state/queries.ts'
import { selection, toSelected, type Selected } from '../state/selection.ts'
import { DeskTools } from './desk-tools.ts'
import styles from './view-tools.module.css'

const LARGEST_PAGE = 100
const undecided = ['new', 'printed']

interface Props {
  view: ListView
  facets: Facets | undefined
}

type Tool = 'accept' | 'slips'
const titles: Record<Tool, string> = { accept: 'Accept Orders', slips: 'Packing Slips' }
const nothing: Record<Tool, string> = {
  accept: 'No new order can be accepted',
  slips: 'All slips are printed',
}
/** Of a part of the tab. */
const nothingHere: Record<Tool, string> = {
  accept: 'No new order of this list can be accepted',
  slips: 'No slip is missing in this list',
}

/** What the clerk does with a whole view, without a selection: accepts its new orders, prints the slips that are missing. */
export function ViewTools({ view, facets }: Props) {
  const { bulk = {} } = use(DeskTools)
  const [open, setOpen] = useState<{ tool: Tool; found: readonly Selected[] } | null>(null)
  const [busy, setBusy] = useState<Tool | null>(null)
  const isLooking = useRef(false)
  const hasSelection = selection.use().size > 0
  const counts = useQuery({ ...queueQuery(merchantKey()), enabled: false }).data
  const missing = countMissing(view, facets, counts)
  const queryClient = useQueryClient()
  const own = queryClient.getQueryData(ordersQuery(merchantKey(), view).queryKey)?.pages.at(-1)
  const isOwn = own?.filters.available === facets
  const fresh = countNew(view, { facets, told: counts, isOwn })
  const start = (tool: Tool): void => {
    if (isLooking.current) return
    isLooking.current = true
    setBusy(tool)
    bulk[tool]?.preload()
    told(tool, () => find(tool, view))
      .then(
        (orders) => {
          if (orders.length === 0) toast('success', isWhole(view) ? nothing[tool] : nothingHere[tool])
          else setOpen({ tool, found: orders.map(toFound) })
        },
        () => tellFailure(tool, messages.ordersFetchFailed),
      )
      .finally(() => {
        isLooking.current = false
        setBusy(null)
      })
  }
  // Caps Lock alone is a slip of the finger on a key for one order.
  const onShift =
    (tool: Tool) =>
    ({ shiftKey }: KeyboardEvent): void => {
      if (shiftKey && bulk[tool]) start(tool)
    }
  useShortcuts(hasSelection ? {} : { A: onShift('accept'), P: onShift('slips') })
  const Dialog = open && bulk[open.tool]
  const close = (): void => setOpen(null)
  return (
    <span className={styles.place} data-commands>
      {bulk.accept && fresh > 1 && (
        <Button
          look="plain"
          isBusy={busy === 'accept'}
          title="Accept the new orders of this list"
          onClick={() => start('accept')}
        >
          <IconChecks size={16} aria-hidden />
          Accept {fresh} new <kbd aria-hidden>A</kbd>
        </Button>
      )}
      {bulk.slips && (
        <Button
          look="plain"
          isBusy={busy === 'slips'}
          title="Print the packing slips that are missing, in due order"
          onClick={() => start('slips')}
        >
          <IconPrinter size={16} aria-hidden />
          {words(missing)} <kbd aria-hidden>P</kbd>
        </Button>
      )}
      {open && Dialog && (
        <DialogPart title={titles[open.tool]} onClose={close}>
          <Dialog selected={open.found} onClose={close} onDone={() => undefined} />
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

/** Of the whole view the stream tells the counts; those of a filtered one are as old as its page. */
function isWhole({ status, method, brand, due, mine, needs_a_look }: ListView): boolean {
  return (status ?? method ?? brand ?? due ?? mine ?? needs_a_look) === undefined
}

/** Undefined in a view of orders that the server does not count by their slips. */
function countMissing(view: ListView, facets: Facets | undefined, told: Queue | undefined) {
  if (view.due ?? view.mine ?? view.needs_a_look) return undefined
  return isWhole(view) && told ? (told.slips ?? 0) : (facets?.slips?.missing ?? 0)
}

interface Counted {
  facets: Facets | undefined
  told: Queue | undefined
  /** Until the answer of another filter is there, the counts of the last one are shown. */
  isOwn: boolean
}

function countNew(view: ListView, { facets, told, isOwn }: Counted): number {
  // A rule holds each of them.
  if (view.needs_a_look) return 0
  if (isWhole(view) && told) return told.undecided ?? 0
  if (isOwn && facets?.undecided) return facets.undecided.count
  const shown = view.status?.split(',')
  const counted = facets?.status.options.filter(
    ({ value }) => undecided.includes(value) && (shown?.includes(value) ?? true),
  )
  return counted?.reduce((sum, { count }) => sum + count, 0) ?? 0
}

/** Asks the server at each press, because a colleague may have done some of them meanwhile. */
async function find(tool: Tool, view: ListView): Promise<Order[]> {
  const { due: _due, mine: _mine, needs_a_look: _look, ...counted } = view
  const asked =
    tool === 'slips'
      ? { ...toFilterQuery({ ...counted, sort: 'due' }), 'filter[slip]': 'missing' as const }
      : toFilterQuery({ ...view, sort: 'due', status: undecided.join(',') })
  const isWanted = (order: Order): boolean =>
    tool === 'slips' ? order.printed_timestamp === null : allowedActions(order).has('accept')
  const found: Order[] = []
  const query = { limit: LARGEST_PAGE, offset: 0, ...asked }
  let page: OrderPage = await call(listLine, { params: { tmk: merchantKey() }, query })
  for (;;) {
    found.push(...page.items.filter((order) => isWanted(order) && belongsTo(view, order)))
    // More than that is done by the next press, since these are done then.
    if (page.next_url === null || found.length >= atMost) return found
    page = await follow<typeof listLine>(page.next_url)
  }
}

/** No row has said of these who has them. */
function toFound(order: Order): Selected {
  const theirsUntil = order.taken && !isMine(order) ? order.on_track_status?.deadline_at : undefined
  return { ...toSelected(order), theirsUntil }
}

/** A few batches; nobody waits for more. */
const atMost = 5 * bulkLimit
