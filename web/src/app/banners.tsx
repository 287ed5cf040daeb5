import type { RefObject } from 'react'
import { Suspense, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { IncompleteSettings } from '#billing/public.ts'
import { NewsBanner } from '#content/public.ts'
import { offlinePart } from '#orders/public.ts'
import { kept } from '#lib/kept/browser-storage.ts'
import { whenIdle } from '#lib/parts/when-idle.ts'
import styles from './shell.module.css'

const KEY = 'cellarhand-banners'
/** A banner of last time that has not come by now is gone. */
const AWAITED_MS = 8_000

/**
 * Banners concern every page, and no page waits for them. Their last height stays reserved, so that they do not push
 * the page away from under a hand. Pages that fill the window read that height from --banners.
 */
export function Banners() {
  const [isSettled, setSettled] = useState(false)
  const [kept, setKept] = useState(roomOfLastTime)
  const offline = offlinePart.use()
  const room = useRef<HTMLDivElement>(null)
  const content = useRef<HTMLDivElement>(null)
  useEffect(() => whenIdle(() => setSettled(true)), [])
  useEffect(() => {
    const timer = setTimeout(() => {
      if (content.current?.offsetHeight === 0) rememberRoom(0)
      setKept(0)
    }, AWAITED_MS)
    return () => clearTimeout(timer)
  }, [])
  useHeight(room, (height) => document.documentElement.style.setProperty('--banners', `${height}px`))
  useHeight(content, (height) => {
    if (height === 0) return
    rememberRoom(height)
    setKept(0)
  })
  return (
    <div className={styles.banners} ref={room} style={kept > 0 ? { minHeight: kept } : undefined}>
      <div ref={content}>
        {offline}
        {isSettled && (
          <Suspense>
            <IncompleteSettings />
            <NewsBanner />
          </Suspense>
        )}
      </div>
    </div>
  )
}

function useHeight(element: RefObject<HTMLDivElement | null>, take: (height: number) => void): void {
  const latest = useRef(take)
  useLayoutEffect(() => {
    const box = element.current
    if (!box) return
    // It also tells the first height. Reading it here would make the browser lay out the page once more.
    const observer = new ResizeObserver(() => latest.current(box.offsetHeight))
    observer.observe(box)
    return () => observer.disconnect()
  }, [element])
}

/** Text wraps differently in a window of another width, so that width's height is no use here. */
function roomOfLastTime(): number {
  const [width, height] = (kept.get(KEY) ?? '').split(' ')
  return Number(width) === innerWidth ? Number(height) || 0 : 0
}

function rememberRoom(height: number): void {
  kept.set(KEY, `${innerWidth} ${height}`)
}
