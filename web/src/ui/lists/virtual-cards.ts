import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { useLayoutEffect, useRef, useState } from 'react'

const GAP_PX = 8
const OVERSCAN = 6
/** A phone's bars at the end of the page. */
const BARS_PX = 148

interface Cards {
  count: number
  cardPx: number
  keyOf: (index: number) => string | number
}

/** For a list of cards that scrolls with the page; only the cards near the window exist. */
export function useVirtualCards({ count, cardPx, keyOf }: Cards) {
  const list = useRef<HTMLDivElement>(null)
  const [top, setTop] = useState(0)
  useLayoutEffect(() => setTop(list.current?.offsetTop ?? 0), [])
  // oxlint-disable-next-line react/incompatible-library -- its functions go to no memoized child
  const virtual = useWindowVirtualizer({
    count,
    estimateSize: () => cardPx,
    overscan: OVERSCAN,
    gap: GAP_PX,
    scrollMargin: top,
    scrollPaddingEnd: BARS_PX,
    getItemKey: keyOf,
  })
  const slots = virtual.getVirtualItems().map(({ index, key, start }) => ({
    index,
    key,
    style: { position: 'absolute', inset: '0 0 auto', transform: `translateY(${start - top}px)` } as const,
  }))
  const listStyle = { position: 'relative', height: virtual.getTotalSize() } as const
  const lastShown = virtual.range?.endIndex ?? 0
  return { list, listStyle, virtual, slots, isNearEnd: lastShown >= count - OVERSCAN }
}
