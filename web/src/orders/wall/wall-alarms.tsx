import IconBellOff from '@tabler/icons-react/dist/esm/icons/IconBellOff.mjs'
import IconBellRinging from '@tabler/icons-react/dist/esm/icons/IconBellRinging.mjs'
import { keepFocusNear } from '#lib/keys/keep-focus-near.ts'
import { Button } from '#ui/blocks/button.tsx'
import { ringer } from '../alarms/alarm-sound.ts'
import { alarms, alarmWords } from '../alarms/unnoticed-alarms.ts'
import { alarmSettings, notice, sound } from '../state/alarms.ts'
import styles from './wall-alarms.module.css'

const kinds = ['cancelled', 'asked', 'late', 'new', 'soon'] as const

/** The wall covers the header with its bell, and has to say by itself what is not seen and not heard. */
export function WallAlarms() {
  return (
    <div className={styles.signs} role="group" aria-label="Order alarm">
      <SilentSign />
      <UnseenSign />
    </div>
  )
}

/** A device that starts again at the wall may be held back from sounding until somebody presses something. */
function SilentSign() {
  const { wish } = alarmSettings.use()
  const isBlocked = sound.use() === 'blocked'
  if (wish === 'off' || (wish === 'on' && !isBlocked)) return null
  const turnOn = (): void => {
    alarmSettings.change({ wish: 'on' })
    void ringer.start()
  }
  return (
    <div className={styles.sign} data-look={wish === 'on' ? 'urgent' : 'call'}>
      <IconBellOff aria-hidden />
      <p role="status">
        {wish === 'on' ? (
          <>
            <b>Sound is blocked</b> <span>The browser holds it back until you press the button.</span>
          </>
        ) : (
          'This screen makes no sound for new orders.'
        )}
      </p>
      <Button ref={keepFocusNear} onClick={turnOn}>
        Turn on sound
      </Button>
    </div>
  )
}

function UnseenSign() {
  const { total, counts, items } = alarms.use()
  if (total === 0) return null
  const parts = kinds.flatMap((kind) => {
    const only = counts[kind] === 1 && items.find((alarm) => alarm.kind === kind)
    if (only) return [alarmWords[kind].one(only.order_id)]
    return counts[kind] > 0 ? [`${counts[kind]} ${alarmWords[kind].many}`] : []
  })
  return (
    <div className={styles.sign} data-look={counts.cancelled + counts.late > 0 ? 'urgent' : 'call'}>
      <IconBellRinging aria-hidden />
      <p>
        <b>{parts.join(', ')}</b>
      </p>
      <Button ref={keepFocusNear} onClick={() => notice(items)}>
        Got it
      </Button>
    </div>
  )
}
