import IconBell from '@tabler/icons-react/dist/esm/icons/IconBell.mjs'
import IconBellOff from '@tabler/icons-react/dist/esm/icons/IconBellOff.mjs'
import { Suspense, useEffect, useState } from 'react'
import { formatTime } from '#lib/time/dates.ts'
import { backgroundPart, lazyPart } from '#lib/parts/lazy-part.ts'
import { useServerTime } from '#lib/time/server-clock.ts'
import { whenIdle } from '#lib/parts/when-idle.ts'
import { useTimezone } from '#merchants/public.ts'
import { DialogPart } from '#ui/dialogs/dialog.tsx'
import styles from './alarm-bell.module.css'
import { alarmSettings, sound, toldAlarms } from '../state/alarms.ts'

const AlarmDesk = backgroundPart(() => import('./alarm-desk.tsx'), 'AlarmDesk')
const AlarmPanel = lazyPart(() => import('./alarm-panel.tsx'), 'AlarmPanel')

/** The unnoticed alarms, and whether this screen sounds for them. Alarms come with the part that sounds them. */
export function AlarmBell() {
  const [isSettled, setSettled] = useState(false)
  const [isOpen, setOpen] = useState(false)
  const close = (): void => setOpen(false)
  useEffect(() => whenIdle(() => setSettled(true)), [])
  return (
    <>
      <Suspense>{isSettled && <AlarmDesk />}</Suspense>
      <BellButton onOpen={() => setOpen(true)} />
      {isOpen && (
        <DialogPart title="Order alarm" onClose={close}>
          <AlarmPanel onClose={close} />
        </DialogPart>
      )}
    </>
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
  const { is_quiet: isQuiet = false } = toldAlarms.use()
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
  return { words: isQuiet ? 'quiet while the store is closed' : 'on', look: 'quiet', isSilent: isQuiet }
}
