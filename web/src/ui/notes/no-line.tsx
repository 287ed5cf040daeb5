import IconCloudOff from '@tabler/icons-react/dist/esm/icons/IconCloudOff.mjs'
import { useState } from 'react'
import { lineState } from '#lib/calls/line-state.ts'
import { keepFocusNear } from '#lib/keys/keep-focus-near.ts'
import { formatDate, formatTime } from '#lib/time/dates.ts'
import { Button } from '../blocks/button.tsx'
import { Notice } from './notice.tsx'
import styles from './notes.module.css'

export function useIsAway(): boolean {
  return lineState.use() === 'away'
}

interface NoLineProps {
  /** What comes once the connection is back, as a sentence. */
  text: string
  onRetry: () => Promise<{ isError: boolean }>
}

/** Takes the content's place while there is no connection and the device has kept nothing of it. */
export function NoLineNote({ text, onRetry }: NoLineProps) {
  const [attempt, setAttempt] = useState<'none' | 'running' | 'failed'>('none')
  const retry = async (): Promise<void> => {
    setAttempt('running')
    const { isError } = await onRetry()
    setAttempt(isError ? 'failed' : 'none')
  }
  return (
    <div className={styles.note}>
      <IconCloudOff size={30} stroke={1.5} aria-hidden />
      <p role="status">
        {attempt === 'failed' ? 'Still no connection.' : 'No connection.'} {text}
      </p>
      <Button ref={keepFocusNear} look="plain" isBusy={attempt === 'running'} onClick={() => void retry()}>
        Try Again
      </Button>
    </div>
  )
}

interface KeptProps {
  /** What the page shows, as "These figures are". */
  what: string
  /** When the server said it. */
  at: number
  timezone: string
  children: string
}

/** Above content that the device has kept, while there is no connection. */
export function KeptNote({ what, at, timezone, children }: KeptProps) {
  if (!useIsAway()) return null
  return (
    <Notice icon={IconCloudOff} hue="amber" live>
      No connection. {what} as of {formatDate(at, timezone)}, {formatTime(at, timezone)}. {children}
    </Notice>
  )
}
