import { isApologyDue, labelErrorWindowMs, noteLabelError } from '@cellarhand/contract/label-errors'

/** Survives the sign-out, which clears everything else (GAP-37). */
const cookieName = 'label_errors'

function readTimes(): number[] {
  const stored = new RegExp(`(?:^|; )${cookieName}=([\\d.]*)`).exec(document.cookie)?.[1] ?? ''
  return stored
    .split('.')
    .filter((part) => part !== '')
    .map(Number)
}

/** Records one more label error; true when the recent ones call for an apology (ERR-017, ERR-018). */
export function isTooManyLabelErrors(nowMs: number): boolean {
  const times = noteLabelError(readTimes(), nowMs)
  const secure = location.protocol === 'https:' ? '; secure' : ''
  document.cookie = `${cookieName}=${times.join('.')}; path=/; max-age=${labelErrorWindowMs / 1000}; samesite=lax${secure}`
  return isApologyDue(times, nowMs)
}
