import type { RefObject } from 'react'
import { Suspense, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { IncompleteSettings } from '#billing/public.ts'
import { NewsBanner } from '#content/public.ts'
import { kept } from '#lib/kept/browser-storage.ts'
import { whenIdle } from '#lib/parts/when-idle.ts'
import styles from './shell.module.css'

const KEY = 'cellarhand-banners'
/** What stood there last time and has not come by now is gone. */
const AWAITED_MS = 8_000

/**
 * What concerns every page; nobody waits for it. The room that it took last time is kept free for it, so that it does
 * not push the page away from under a hand; and pages that fill the window know how much it takes (--banners).
 */
export function Banners() {
  const [isSettled, setSettled] = useState(false)
  const [kept, setKept] = useState(roomOfLastTime)
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
    latest.current(box.offsetHeight)
    const observer = new ResizeObserver(() => latest.current(box.offsetHeight))
    observer.observe(box)
    return () => observer.disconnect()
  }, [element])
}

/** Text breaks elsewhere in a window of another width, so that room is not this one's. */
function roomOfLastTime(): number {
  const [width, height] = (kept.get(KEY) ?? '').split(' ')
  return Number(width) === innerWidth ? Number(height) || 0 : 0
}

function rememberRoom(height: number): void {
  kept.set(KEY, `${innerWidth} ${height}`)
}
