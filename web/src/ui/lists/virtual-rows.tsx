import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, type RefObject } from 'react'

/** Of the table where fingers press it, the highest. */
const HEAD_PX = 44
const GROUP_PX = 26
/** A bar may lie over the end of the table. */
const COVER_PX = 64
const none: readonly number[] = []

interface Rows {
  box: RefObject<HTMLElement | null>
  count: number
  rowPx: number
  /** Rows with a group's head above them, as high as `GROUP_PX`. */
  heads?: readonly number[]
  overscan: number
  initialOffset?: number
  getItemKey?: (index: number) => string | number
}

/** For a real table whose rows exist only near the window; two empty rows keep the height of the others. */
export function useVirtualRows({ box, rowPx, heads = none, ...options }: Rows) {
  // oxlint-disable-next-line react/incompatible-library -- its functions go to no memoized child
  const virtual = useVirtualizer({
    ...options,
    getScrollElement: () => box.current,
    estimateSize: (index) => rowPx + (heads.includes(index) ? GROUP_PX : 0),
    scrollPaddingStart: HEAD_PX,
    scrollPaddingEnd: HEAD_PX + COVER_PX,
  })
  const places = heads.join()
  useEffect(() => virtual.measure(), [virtual, rowPx, places])
  const rows = virtual.getVirtualItems()
  return {
    virtual,
    rows,
    before: rows[0]?.start ?? 0,
    after: virtual.getTotalSize() - (rows.at(-1)?.end ?? 0),
  }
}

export function SpacerRow({ height, span }: { height: number; span: number }) {
  return (
    height > 0 && (
      <tr aria-hidden>
        <td colSpan={span} style={{ height, padding: 0, border: 0 }} />
      </tr>
    )
  )
}
