import { actionLabels } from '@cellarhand/contract/decisions'
import type { TransitionRefusal } from '@cellarhand/contract/orders'
import { formatTime } from '#lib/time/dates.ts'
import { shopZone } from '#lib/time/shop-day.ts'

/** What somebody else decided first. */
export function firstWords(latest: NonNullable<TransitionRefusal['latest']>): string {
  const labels: Record<string, string> = actionLabels
  return `${latest.actor} was faster: ${labels[latest.action] ?? latest.action} at ${formatTime(latest.at, shopZone())}.`
}
