import type { Alarm, AlarmKind } from '@cellarhand/contract/live'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { takePart } from '#lib/kept/only-tab.ts'
import { serverNow, useServerTime } from '#lib/time/server-clock.ts'
import { merchantKey } from '#sign-in/public.ts'
import { ringer, ringingOf } from './alarm-sound.ts'
import { alarmSettings, sound, soundsHere, toldAlarms } from '../state/alarms.ts'
import { tellNoticed } from './tell-noticed.ts'
import { alarms, followAlarms } from './unnoticed-alarms.ts'
import { Unnoticed } from './unnoticed.tsx'

/** Words in the header, sounds, title, icon and desktop notifications for unnoticed alarms. */
export function AlarmDesk() {
  useSound()
  useRinging()
  useBadges()
  useNotifications()
  useEffect(followAlarms, [])
  useEffect(tellNoticed, [])
  const words = useAnnouncement()
  return (
    <>
      {alarms.use().total > 0 && <Unnoticed />}
      <span className="visually-hidden" aria-live="assertive">
        {words}
      </span>
    </>
  )
}

/** Starts the sound as soon as it is wanted, and again at each press while the browser blocks it. */
function useSound(): void {
  const isWanted = alarmSettings.use().wish === 'on'
  const state = ringer.state.use()
  useEffect(() => sound.set(state), [state])
  useEffect(() => {
    if (!isWanted) return
    const ask = (): void => {
      if (ringer.state.get() !== 'ready') void ringer.start()
    }
    ask()
    const presses = ['pointerdown', 'keydown', 'visibilitychange'] as const
    for (const press of presses) document.addEventListener(press, ask, true)
    return () => {
      for (const press of presses) document.removeEventListener(press, ask, true)
    }
  }, [isWanted])
  // A silent tab must not keep the part from a tab that can sound.
  const canSound = isWanted && state === 'ready'
  useEffect(
    () => (canSound ? takePart(`cellarhand-alarm ${merchantKey()}`, soundsHere.set) : undefined),
    [canSound],
  )
}

/** Quiet hours of the store, or a mute of this browser. */
function useHush(): boolean {
  const { mutedUntil } = alarmSettings.use()
  const { is_quiet: isQuiet = false } = toldAlarms.use()
  // Time alone ends a mute.
  useServerTime()
  return isQuiet || mutedUntil > serverNow()
}

function useRinging(): void {
  const { wish, volume } = alarmSettings.use()
  const { items } = alarms.use()
  const isOurs = soundsHere.use()
  const isHushed = useHush()
  // Time alone raises the alarm's urgency, for which `useHush` renews this too.
  useEffect(() => {
    const isHeard = wish === 'on' && isOurs && !isHushed
    const ringing = isHeard ? ringingOf(items, serverNow()) : undefined
    if (!ringing) return ringer.stop()
    ringer.setVolume(volume * ringing.loudness)
    ringer.repeat(ringing.melody, ringing.everySeconds)
  })
  useEffect(() => () => ringer.stop(), [])
}

const plainTitle = document.title

function useBadges(): void {
  const { total } = alarms.use()
  useEffect(() => {
    const icon = document.querySelector<HTMLLinkElement>('link[rel="icon"]')
    document.title = total > 0 ? `(${total}) ${plainTitle}` : plainTitle
    icon?.setAttribute('href', total > 0 ? '/favicon-alarm.svg' : '/favicon.svg')
    return () => {
      document.title = plainTitle
      icon?.setAttribute('href', '/favicon.svg')
    }
  }, [total])
}

const wordsOf: Record<AlarmKind, (id: string) => string> = {
  new: (id) => `New order #${id}`,
  cancelled: (id) => `Order #${id} was cancelled`,
  late: (id) => `Order #${id} is late`,
  soon: (id) => `Order #${id} is nearly late`,
  asked: (id) => `Order #${id} waits for your decision`,
}

/**
 * Only while nobody looks at the page, and with the system's own sound, so not in quiet hours or during a mute. What
 * came meanwhile is told once they end, as the ringing does. Several at once are one notification with their number.
 * It names orders and no person.
 */
function useNotifications(): void {
  const { items, total } = alarms.use()
  const { wish, notifies } = alarmSettings.use()
  const isOurs = soundsHere.use()
  const isHushed = useHush()
  const navigate = useNavigate()
  const shown = useRef(new Map<string, Notification | undefined>())
  useEffect(() => {
    closeNoticed(shown.current, items)
    const fresh = items.filter((alarm) => !shown.current.has(keyOf(alarm)))
    const [first] = fresh
    if (isHushed || !first) return
    const isAllowed = notifies && 'Notification' in window && Notification.permission === 'granted'
    const isFirstTab = isOurs || wish !== 'on'
    const isUnseen = isAllowed && isFirstTab && document.hidden
    const isAlone = fresh.length === 1
    const words = isAlone ? wordsOf[first.kind](first.order_id) : `${total} order alarms wait`
    // Each tab of the browser makes the same tag, so that the browser shows it once.
    const tag = isAlone ? keyOf(first) : `several ${keyOf(first)}`
    const notification = isUnseen ? notify(words, tag) : undefined
    for (const alarm of fresh) shown.current.set(keyOf(alarm), notification)
    notification?.addEventListener('click', () => {
      window.focus()
      notification.close()
      if (isAlone) void navigate({ to: '/orders/view/$id', params: { id: first.order_id } })
      else void navigate({ to: '/orders/$tab', params: { tab: 'active' } })
    })
  }, [items, total, notifies, wish, isOurs, isHushed, navigate])
}

function keyOf({ kind, order_id }: Alarm): string {
  return `${kind} ${order_id}`
}

/** A notification of several alarms stays until the last of them is noticed. */
function closeNoticed(shown: Map<string, Notification | undefined>, items: readonly Alarm[]): void {
  const keys = new Set(items.map(keyOf))
  for (const [key, notification] of shown) {
    if (keys.has(key)) continue
    shown.delete(key)
    if (![...shown.values()].includes(notification)) notification?.close()
  }
}

/** Phones have the permission, but show no notifications from a page. */
function notify(title: string, tag: string): Notification | undefined {
  try {
    return new Notification(title, { tag, icon: '/favicon.svg' })
  } catch {
    return undefined
  }
}

const manyOf = { asked: 'wait for your decision', late: 'are late', soon: 'are nearly late' }
/** More at once, such as at the opening, are only counted. */
const namedAtMost = 3

/**
 * The bar announces new orders; a cancellation and a deadline must reach the person who packs. Quiet hours and a mute
 * leave it: it is the text of a page in use, and without it a screen reader would hide what the header shows.
 */
function useAnnouncement(): string {
  const { items, counts } = alarms.use()
  return (['cancelled', 'asked', 'late', 'soon'] as const)
    .flatMap((kind) => {
      const own = items.filter((alarm) => alarm.kind === kind)
      if (kind !== 'cancelled' && own.length > namedAtMost) return [`${counts[kind]} orders ${manyOf[kind]}.`]
      return own.map(({ order_id }) => `${wordsOf[kind](order_id)}.`)
    })
    .join(' ')
}
