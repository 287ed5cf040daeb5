import IconBell from '@tabler/icons-react/dist/esm/icons/IconBell.mjs'
import IconBellOff from '@tabler/icons-react/dist/esm/icons/IconBellOff.mjs'
import IconBellRinging from '@tabler/icons-react/dist/esm/icons/IconBellRinging.mjs'
import { Link } from '@tanstack/react-router'
import { Suspense, useEffect, useState } from 'react'
import { formatTime } from '#lib/time/dates.ts'
import { backgroundPart, lazyPart } from '#lib/parts/lazy-part.ts'
import { useServerTime } from '#lib/time/server-clock.ts'
import { whenIdle } from '#lib/parts/when-idle.ts'
import { useTimezone } from '#merchants/public.ts'
import { DialogPart } from '#ui/dialogs/dialog.tsx'
import styles from './alarm-bell.module.css'
import { alarms, alarmSettings, notice, sound } from './alarms.ts'

const AlarmDesk = backgroundPart(async () => (await import('./alarm-desk.tsx')).AlarmDesk)
const AlarmPanel = lazyPart(async () => (await import('./alarm-panel.tsx')).AlarmPanel)

/** The alarms that nobody has noticed yet, and whether this screen sounds for them. */
export function AlarmBell() {
  const [isSettled, setSettled] = useState(false)
  const [isOpen, setOpen] = useState(false)
  const close = (): void => setOpen(false)
  const isRinging = alarms.use().total > 0
  useEffect(() => whenIdle(() => setSettled(true)), [])
  return (
    <>
      {isRinging && <Unnoticed />}
      <BellButton onOpen={() => setOpen(true)} />
      <Suspense>{isSettled && <AlarmDesk />}</Suspense>
      {isOpen && (
        <DialogPart title="Order alarm" onClose={close}>
          <AlarmPanel onClose={close} />
        </DialogPart>
      )}
    </>
  )
}

function Unnoticed() {
  const { total, cancelled, items } = alarms.use()
  const fresh = total - cancelled
  const onlyFresh = items.find(({ kind }) => kind === 'new')
  const onlyCancelled = items.find(({ kind }) => kind === 'cancelled')
  return (
    <div className={styles.unnoticed} data-cancelled={cancelled > 0 || undefined}>
      <IconBellRinging size={18} aria-hidden />
      {cancelled === 1 && onlyCancelled && (
        <Link to="/orders/view/$id" params={{ id: onlyCancelled.order_id }}>
          #{onlyCancelled.order_id} cancelled
        </Link>
      )}
      {cancelled > 1 && (
        <Link to="/orders/$tab" params={{ tab: 'cancelled' }}>
          {cancelled} cancelled
        </Link>
      )}
      {fresh === 1 && onlyFresh && (
        <Link to="/orders/view/$id" params={{ id: onlyFresh.order_id }}>
          1 new
        </Link>
      )}
      {fresh > 1 && (
        <Link to="/orders/$tab" params={{ tab: 'active' }}>
          {fresh} new
        </Link>
      )}
      <button type="button" onClick={() => notice(items)}>
        Got it
      </button>
    </div>
  )
}

type Look = 'quiet' | 'call' | 'urgent'

function BellButton({ onOpen }: { onOpen: () => void }) {
  const state = useBellState()
  const Sign = state.isSilent ? IconBellOff : IconBell
  return (
    <button
      type="button"
      className={styles.bell}
      data-look={state.look}
      aria-haspopup="dialog"
      // Contains the visible words, because people who speak to the machine say what they see.
      aria-label={[`Order alarm: ${state.words}`, state.call].filter(Boolean).join('. ')}
      title={`Order alarm: ${state.words}`}
      onPointerEnter={AlarmPanel.preload}
      onFocus={AlarmPanel.preload}
      onClick={onOpen}
    >
      <Sign size={18} aria-hidden />
      {state.call && <span aria-hidden>{state.call}</span>}
    </button>
  )
}

interface BellState {
  words: string
  /** Words on the button itself, when the clerk has to act. */
  call?: string
  look: Look
  isSilent: boolean
}

function useBellState(): BellState {
  const { wish, mutedUntil } = alarmSettings.use()
  const isBlocked = sound.use() !== 'ready'
  const timezone = useTimezone()
  const now = useServerTime()
  if (wish === 'unset')
    return { words: 'not set up on this screen', call: 'Turn on sound', look: 'call', isSilent: true }
  if (wish === 'off') return { words: 'off on this screen', look: 'quiet', isSilent: true }
  if (isBlocked)
    return {
      words: 'the browser holds the sound back until you press here',
      call: 'Sound is blocked',
      look: 'urgent',
      isSilent: true,
    }
  if (mutedUntil > now) {
    const until = formatTime(mutedUntil, timezone)
    return { words: `muted until ${until}`, call: `Until ${until}`, look: 'call', isSilent: true }
  }
  return { words: 'on', look: 'quiet', isSilent: false }
}
