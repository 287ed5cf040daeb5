import type { ReportKind } from '@cellarhand/contract/rejection-message'
import { ownLines } from '@cellarhand/contract/order-lines'
import type { ReactNode } from 'react'
import { useState } from 'react'
import { lazyPart } from '#lib/parts/lazy-part.ts'
import { useAhead } from '#lib/parts/fetch-ahead.ts'
import { DialogPart } from '#ui/dialogs/dialog.tsx'
import type { Order } from '../state/queries.ts'

const ReportDialog = lazyPart(() => import('../decide/report-dialogs.tsx'), 'ReportDialog')
const SubstituteDialog = lazyPart(() => import('../decide/substitute-dialog.tsx'), 'SubstituteDialog')
const PicturePreview = lazyPart(() => import('../pictures/picture-preview.tsx'), 'PicturePreview')

const titles: Record<ReportKind | 'substitute', string> = {
  outOfStock: 'Out of Stock',
  wrongPrice: 'Wrong Price',
  substitute: 'Offer a Substitute',
}

export type ProductDialog = { kind: ReportKind | 'picture' | 'substitute'; itemId: string }

function preloadDialogs(): void {
  for (const part of [ReportDialog, SubstituteDialog, PicturePreview]) part.preload()
}

/** The dialogs of a line in the product table. Only one is open at a time; the caller decides where it appears. */
export function useProductDialogs(order: Order): {
  dialog: ReactNode
  open: (dialog: ProductDialog) => void
} {
  const [shown, setShown] = useState<ProductDialog | null>(null)
  useAhead(preloadDialogs)
  const items = ownLines(order).map((line) => line.item)
  const item = items.find(({ id }) => id === shown?.itemId)
  const close = (): void => setShown(null)
  if (!shown || !item) return { dialog: null, open: setShown }
  const dialog =
    shown.kind === 'picture' ? (
      <PicturePreview
        items={items}
        itemId={item.id}
        onMove={(itemId) => setShown({ kind: 'picture', itemId })}
        onClose={close}
      />
    ) : shown.kind === 'substitute' ? (
      <SubstituteDialog key={item.id} order={order} item={item} onClose={close} />
    ) : (
      <ReportDialog
        key={`${shown.kind} ${item.id}`}
        kind={shown.kind}
        order={order}
        item={item}
        onClose={close}
        onSubstitute={() => setShown({ kind: 'substitute', itemId: item.id })}
      />
    )
  const title = shown.kind === 'picture' ? item.name : titles[shown.kind]
  return {
    dialog: (
      <DialogPart title={title} onClose={close}>
        {dialog}
      </DialogPart>
    ),
    open: setShown,
  }
}
