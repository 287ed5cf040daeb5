import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { call } from '#lib/calls/call.ts'
import { formatTime } from '#lib/time/dates.ts'
import type { Melody } from '#lib/output/ringer.ts'
import { serverNow, useServerTime } from '#lib/time/server-clock.ts'
import { useTimezone } from '#merchants/public.ts'
import { merchantKey, useCan } from '#sign-in/public.ts'
import { Button } from '#ui/blocks/button.tsx'
import { Dialog } from '#ui/dialogs/dialog.tsx'
import styles from './alarm-panel.module.css'
import { cancelMelody, lateMelody, newOrderMelody, ringer, soonMelody } from './alarm-sound.ts'
import { alarmSettings, soundsHere, toldAlarms } from '../state/alarms.ts'
import { nextOpening } from './next-opening.ts'

/** Sets this browser's alarm and tests it. */
export function AlarmPanel({ onClose }: { onClose: () => void }) {
  const { wish } = alarmSettings.use()
  const can = useCan()
  return (
    <Dialog title="Order alarm" onClose={onClose}>
      <div className={styles.panel}>
        <Standing />
        {wish === 'on' && (
          <>
            <Volume />
            <Mute />
          </>
        )}
        <DesktopNotifications />
        {can('company.edit') && (
          <p className={styles.note}>
            Nearly late and late orders ring by the rules of the store:{' '}
            <Link to="/settings/alarms" className={styles.link} onClick={onClose}>
              Alarms
            </Link>
          </p>
        )}
        {wish !== 'off' && (
          <p className={styles.note}>
            The alarm rings until somebody presses “Got it” on any screen of the store, or takes the order on.{' '}
            <button
              type="button"
              className={styles.link}
              onClick={() => alarmSettings.change({ wish: 'off' })}
            >
              Keep this screen silent
            </button>
          </p>
        )}
      </div>
    </Dialog>
  )
}

function Standing() {
  const { wish } = alarmSettings.use()
  const state = ringer.state.use()
  const isHere = soundsHere.use()
  const { is_quiet: isQuiet } = toldAlarms.use()
  const turnOn = (): void => {
    alarmSettings.change({ wish: 'on', mutedUntil: 0 })
    void ringer.start().then(() => tryOut(newOrderMelody))
  }
  if (wish === 'on' && state === 'ready') {
    return (
      <div className={styles.standing} data-on role="status">
        <b>{isHere ? 'This screen rings for new orders.' : 'Another tab of this browser rings.'}</b>
        {isQuiet && <p>It is quiet while the store is closed.</p>}
        <Loudness />
      </div>
    )
  }
  const words =
    wish === 'on'
      ? 'The browser holds the sound back until you press the button.'
      : 'This screen makes no sound for new orders.'
  return (
    <div className={styles.standing} role="status">
      <b>{words}</b>
      <Button size="large" onClick={turnOn}>
        Turn on and test
      </Button>
    </div>
  )
}

function tryOut(melody: Melody): void {
  ringer.setVolume(alarmSettings.get().volume)
  ringer.playOnce(melody)
}

const METER_MS = 100

/** The real loudness at the loudspeaker: if it moves and nobody hears it, the cause is outside the browser. */
function Loudness() {
  const [loudness, setLoudness] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => setLoudness(ringer.loudness()), METER_MS)
    return () => clearInterval(timer)
  }, [])
  return (
    <>
      <meter className={styles.meter} aria-label="Loudness just now" min={0} max={1} value={loudness} />
      <div className={styles.row}>
        <Button look="plain" onClick={() => tryOut(newOrderMelody)}>
          Play new order
        </Button>
        <Button look="plain" onClick={() => tryOut(cancelMelody)}>
          Play cancellation
        </Button>
        <Button look="plain" onClick={() => tryOut(soonMelody)}>
          Play nearly late
        </Button>
        <Button look="plain" onClick={() => tryOut(lateMelody)}>
          Play late
        </Button>
      </div>
      <p className={styles.note}>
        The bar moves but you hear nothing? Turn up this device, and look whether the tab or the loudspeaker
        is muted.
      </p>
    </>
  )
}

function Volume() {
  const { volume } = alarmSettings.use()
  return (
    <label className={styles.field}>
      Volume
      <input
        type="range"
        min={0.1}
        max={1}
        step={0.1}
        value={volume}
        onChange={(event) => {
          alarmSettings.change({ volume: Number(event.target.value) })
          ringer.setVolume(Number(event.target.value))
        }}
        onPointerUp={() => tryOut(newOrderMelody)}
      />
    </label>
  )
}

const MINUTE_MS = 60_000

function Mute() {
  const { mutedUntil } = alarmSettings.use()
  const timezone = useTimezone()
  const [isBusy, setBusy] = useState(false)
  const now = useServerTime()
  const mute = (until: number): void => alarmSettings.change({ mutedUntil: until })
  const untilOpening = async (): Promise<void> => {
    setBusy(true)
    const params = { tmk: merchantKey() }
    // Without known hours the usual opening counts, so that nobody leaves the alarm on overnight.
    const hours = await call('GET /c/v2/merchants/{tmk}/hours', { params }).catch(() => undefined)
    mute(nextOpening(hours?.regular_hours ?? [], timezone, serverNow()))
    setBusy(false)
  }
  if (mutedUntil > now) {
    const dayOf = (at: number): string =>
      new Intl.DateTimeFormat('en-US', { weekday: 'long', timeZone: timezone }).format(at)
    const day = dayOf(mutedUntil) === dayOf(now) ? '' : `${dayOf(mutedUntil)}, `
    return (
      <div className={styles.field} role="status">
        <span>
          Muted until {day}
          {formatTime(mutedUntil, timezone)}
        </span>
        <Button look="plain" onClick={() => mute(0)}>
          Sound again
        </Button>
      </div>
    )
  }
  return (
    <div className={styles.field} role="group" aria-label="Mute">
      <span>Mute for</span>
      <div className={styles.row}>
        <Button look="plain" onClick={() => mute(serverNow() + 15 * MINUTE_MS)}>
          15 minutes
        </Button>
        <Button look="plain" onClick={() => mute(serverNow() + 60 * MINUTE_MS)}>
          1 hour
        </Button>
        <Button look="plain" isBusy={isBusy} onClick={() => void untilOpening()}>
          Until tomorrow’s opening
        </Button>
      </div>
    </div>
  )
}

/** Browsers of Android give a page the permission, and then show nothing from it. */
function canShow(): boolean {
  return 'Notification' in window && !/Android/.test(navigator.userAgent)
}

function DesktopNotifications() {
  const { notifies } = alarmSettings.use()
  const [permission, setPermission] = useState(() => (canShow() ? Notification.permission : 'unsupported'))
  if (permission === 'unsupported') return null
  const allow = async (): Promise<void> => {
    const answer = await Notification.requestPermission()
    setPermission(answer)
    alarmSettings.change({ notifies: answer === 'granted' })
  }
  if (permission === 'denied') {
    return (
      <p className={styles.note}>
        Desktop notifications are blocked for this site. The browser’s settings of this site can allow them.
      </p>
    )
  }
  return (
    <label className={styles.check}>
      <input
        type="checkbox"
        checked={permission === 'granted' && notifies}
        onChange={(event) => {
          if (event.target.checked) void allow()
          else alarmSettings.change({ notifies: false })
        }}
      />
      Show a desktop notification when this page is not in front
    </label>
  )
}
