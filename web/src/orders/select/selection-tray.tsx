import { Suspense, useDeferredValue, useEffect, useState } from 'react'
import type { BulkAction } from './desk-tools.ts'
import type { ListView } from '../state/list-view.ts'
import type { Order } from '../state/queries.ts'
import { followSelected, selection } from '../state/selection.ts'
import { KeysAhead } from './keys-ahead.ts'
import { SelectionBar } from './selection-bar-part.ts'

// At once, ahead of the dialogs that the page fetches when it is idle: a tick may be the first thing a clerk does.
SelectionBar.preload()

interface Props {
  view: ListView
  orders: readonly Order[]
  total: number
}

/** Mounts and unmounts the bar after the tick itself is painted. */
export function SelectionTray({ view, orders, total }: Props) {
  const [open, setOpen] = useState<BulkAction | null>(null)
  const ticked = selection.use()
  const selected = useDeferredValue(ticked)
  useEffect(() => followSelected(orders), [orders])
  // A dialog may remove every order from the selection, and must still show its result.
  if (view.tab !== 'active') return null
  if (selected.size === 0 && open === null) return ticked.size > 0 && <KeysAhead />
  return (
    <Suspense fallback={<KeysAhead />}>
      <SelectionBar open={open} onOpen={setOpen} view={view} total={total} orders={orders} />
    </Suspense>
  )
}
