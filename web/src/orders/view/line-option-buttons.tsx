import type { ReportKind } from '@cellarhand/contract/rejection-message'
import { rejectionKey } from '@cellarhand/contract/order-guards'
import { keepFocusNear } from '#lib/keys/keep-focus-near.ts'
import { Button } from '#ui/blocks/button.tsx'
import type { LineOptions } from './line-options.ts'
import styles from './order-products.module.css'
import { dropReport, usePendingReports } from '../decide/pending-reports.ts'
import type { Order } from '../state/queries.ts'
import { canOffer, isBound, offerFor } from '../order/substitute-words.ts'
import { WithdrawButton } from '../decide/withdraw-button.tsx'
import { reportedKeys } from '../order/reported.ts'
import type { ProductDialog } from './use-product-dialogs.tsx'

const kinds: readonly { kind: ReportKind; label: string }[] = [
  { kind: 'outOfStock', label: 'Out of stock' },
  { kind: 'wrongPrice', label: 'Wrong Price' },
]

interface Props {
  order: Order
  item: Order['items'][number]
  /** The element with the line's name, because every line's buttons have the same words. */
  nameId: string
  options: LineOptions
  onOpen: (dialog: ProductDialog) => void
}

/** The possible reports on a line, without those already made (VIEW-030). */
export function LineOptionButtons({ order, item, nameId, options, onOpen }: Props) {
  const pending = usePendingReports(order)
  const line = rejectionKey(item)
  const offered = kinds.filter(
    ({ kind }) => !reportedKeys(order, kind).has(line) && !(kind === 'outOfStock' && isBound(order, item.id)),
  )
  const offer = offerFor(order, item.id)
  return (
    <div className={styles.options}>
      {offered.map(({ kind, label }) => {
        const isPending = pending.some((report) => report.kind === kind && report.line === line)
        return (
          <span key={kind} className={styles.option}>
            <Button
              ref={keepFocusNear}
              look="plain"
              size="small"
              data-report={kind}
              aria-describedby={nameId}
              disabled={!options.isEnabled}
              data-pending={(isPending && options.isEnabled) || undefined}
              onClick={() => onOpen({ kind, itemId: item.id })}
            >
              {label}
            </Button>
            {isPending && options.isEnabled && (
              <span className={styles.pending}>
                Not sent yet{' '}
                <button
                  ref={keepFocusNear}
                  type="button"
                  aria-describedby={nameId}
                  aria-label={`Undo ${label.toLowerCase()}`}
                  onClick={() => dropReport(order, { kind, line })}
                >
                  Undo
                </button>
              </span>
            )}
          </span>
        )
      })}
      {canOffer(order, item.id) && (
        <Button
          ref={keepFocusNear}
          look="plain"
          size="small"
          aria-describedby={nameId}
          onClick={() => onOpen({ kind: 'substitute', itemId: item.id })}
        >
          Offer substitute
        </Button>
      )}
      {offer?.state === 'offered' && <WithdrawButton order={order} offerId={offer.id} nameId={nameId} />}
    </div>
  )
}
