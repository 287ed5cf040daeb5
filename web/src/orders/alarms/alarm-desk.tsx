import type { AlarmKind } from '@cellarhand/contract/live'
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

function useRinging(): void {
  const { wish, volume, mutedUntil } = alarmSettings.use()
  const { items } = alarms.use()
  const { is_quiet: isQuiet } = toldAlarms.use()
  const isOurs = soundsHere.use()
  // Time alone raises the alarm's urgency, and ends a mute.
  useServerTime()
  useEffect(() => {
    const isHeard = wish === 'on' && isOurs && !isQuiet && mutedUntil <= serverNow()
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

/** One per alarm, and only while nobody looks at the page; it names the order and no person. */
function useNotifications(): void {
  const { items } = alarms.use()
  const { wish, notifies } = alarmSettings.use()
  const isOurs = soundsHere.use()
  const navigate = useNavigate()
  const shown = useRef(new Map<string, Notification | undefined>())
  useEffect(() => {
    const keys = new Set(items.map(({ kind, order_id }) => `${kind} ${order_id}`))
    for (const [key, notification] of shown.current) {
      if (keys.has(key)) continue
      notification?.close()
      shown.current.delete(key)
    }
    const isAllowed = notifies && 'Notification' in window && Notification.permission === 'granted'
    const isFirstTab = isOurs || wish !== 'on'
    for (const { kind, order_id } of items) {
      const key = `${kind} ${order_id}`
      if (shown.current.has(key)) continue
      const isUnseen = isAllowed && isFirstTab && document.hidden
      const notification = isUnseen ? notify(wordsOf[kind](order_id), key) : undefined
      shown.current.set(key, notification)
      notification?.addEventListener('click', () => {
        window.focus()
        notification.close()
        void navigate({ to: '/orders/view/$id', params: { id: order_id } })
      })
    }
  }, [items, notifies, wish, isOurs, navigate])
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

/** The bar announces new orders; a cancellation and a deadline must reach the person who packs. */
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
