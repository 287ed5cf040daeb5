import { formatDollars, toCents, toDollars } from '@cellarhand/contract/money'
import { waveAtMost } from '@cellarhand/contract/wave'
import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs'
import { useNavigate } from '@tanstack/react-router'
import { use, useEffect, useRef } from 'react'
import { useShortcuts } from '#lib/keys/shortcuts.ts'
import { Button } from '#ui/blocks/button.tsx'
import { DialogPart } from '#ui/dialogs/dialog.tsx'
import type { BulkAction } from './desk-tools.ts'
import { DeskTools } from './desk-tools.ts'
import type { ListView } from '../state/list-view.ts'
import type { Order } from '../state/queries.ts'
import { clearSelection, deselect, selection } from '../state/selection.ts'
import styles from './selection-bar.module.css'
import { isPaintedAhead, late, waitsForAnswer } from '../order/unconfirmed.ts'
import { TakeMany } from '../taken/take-many.tsx'
import { barKeys, useKeyThatWaited } from './keys-ahead.ts'
import { useTabFromTick } from './tick-place.ts'
import { useSelectAll } from './use-select-all.ts'

interface Props {
  open: BulkAction | null
  onOpen: (action: BulkAction | null) => void
  view: ListView
  /** The orders of the view that are loaded, and the number of all. */
  orders: readonly Order[]
  total: number
}

const number = new Intl.NumberFormat('en-US')
const names: Record<BulkAction, string> = {
  accept: 'Accept',
  slips: 'Packing slips',
  receipts: 'Receipts',
  labels: 'Labels',
  details: 'Details CSV',
}

const buildsOnAccept: ReadonlySet<BulkAction> = new Set(['receipts', 'labels'])

/** The titles of the dialogs, before these are fetched. */
const titles: Record<BulkAction, string> = {
  accept: 'Accept Orders',
  slips: 'Packing Slips',
  receipts: 'Receipts',
  labels: 'Shipping Labels',
  details: 'Order Details',
}

/** The actions on all selected orders at once. */
export function SelectionBar({ open, onOpen, view, orders, total }: Props) {
  const { bulk = {} } = use(DeskTools)
  const chosen = selection.use()
  const selected = [...chosen.values()]
  const isAllLoaded = orders.length > 0 && orders.every(({ id }) => chosen.has(id))
  // With none of them in the list, the keys act on its rows.
  const isInSight = orders.some(({ id }) => chosen.has(id))
  const all = useSelectAll(view)
  useEffect(() => {
    for (const dialog of Object.values(bulk)) dialog.preload()
  }, [bulk])
  const acceptable = selected.filter(({ canAccept }) => canAccept)
  const sum = toDollars(selected.reduce((cents, { total: each }) => cents + toCents(each), 0))
  const lateIds = late.use()
  const isUncertain = selected.some((order) => lateIds.has(order.id) && isPaintedAhead(order))
  const Dialog = open && bulk[open]
  const close = (): void => onOpen(null)
  const navigate = useNavigate()
  const canPick = selected.length <= waveAtMost
  const pick = (): void =>
    void navigate({ to: '/pick/$ids', params: { ids: selected.map(({ id }) => id).join(',') } })
  const bar = useRef<HTMLDivElement>(null)
  useTabFromTick(bar)
  useKeyThatWaited()
  useShortcuts(
    selected.length === 0
      ? {}
      : {
          ...(isInSight && {
            [barKeys.accept]: () => bulk.accept && acceptable.length > 0 && onOpen('accept'),
            [barKeys.pick]: () => canPick && pick(),
            [barKeys.slips]: () => bulk.slips && onOpen('slips'),
          }),
          [barKeys.focus]: () => bar.current?.querySelector<HTMLElement>('[data-action]')?.focus(),
        },
  )
  return (
    <div className={styles.place} data-selection={selected.length > 0 || undefined}>
      {selected.length > 0 && (
        <div ref={bar} className={styles.bar} role="group" aria-label="Selected orders" data-commands>
          <span className={styles.words}>
            <b role="status">
              {number.format(selected.length)} selected{!isInSight && ', none in this list'}
            </b>{' '}
            <span>{formatDollars(sum)}</span>
          </span>
          <span className={styles.actions}>
            {all.found !== null ? (
              <Button look="plain" onClick={all.stop}>
                Selecting {number.format(all.found)} of {number.format(total)}, stop
              </Button>
            ) : (
              isAllLoaded &&
              !(all.isDone && chosen.size >= total) &&
              total > orders.length && (
                <Button look="plain" onClick={all.start}>
                  Select all {number.format(total)}
                </Button>
              )
            )}
            {bulk.accept && acceptable.length > 0 && (
              <Button look="plain" data-first data-action onClick={() => onOpen('accept')}>
                Accept {number.format(acceptable.length)}{' '}
                {isInSight && <kbd aria-hidden>{barKeys.accept}</kbd>}
              </Button>
            )}
            {(['slips', 'receipts', 'labels', 'details'] as const).map((action) => {
              const why = isUncertain && buildsOnAccept.has(action) ? waitsForAnswer : undefined
              return (
                bulk[action] && (
                  <Button
                    key={action}
                    look="plain"
                    data-action
                    disabled={why !== undefined}
                    title={why}
                    onClick={() => onOpen(action)}
                  >
                    {names[action]}{' '}
                    {action === 'slips' && isInSight && <kbd aria-hidden>{barKeys.slips}</kbd>}
                  </Button>
                )
              )
            })}
            <Button
              look="plain"
              data-action
              disabled={!canPick}
              title={canPick ? undefined : `A wave has at most ${waveAtMost} orders`}
              onClick={pick}
            >
              Pick {isInSight && <kbd aria-hidden>{barKeys.pick}</kbd>}
            </Button>
            <TakeMany selected={selected} shortcut={isInSight ? barKeys.take : undefined} />
          </span>
          <Button look="plain" aria-label="Clear selection" onClick={clearSelection}>
            <IconX size={16} aria-hidden />
          </Button>
        </div>
      )}
      {Dialog && (
        <DialogPart title={titles[open]} onClose={close}>
          <Dialog selected={open === 'accept' ? acceptable : selected} onClose={close} onDone={deselect} />
        </DialogPart>
      )}
    </div>
  )
}
