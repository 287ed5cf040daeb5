import { actionLabels } from '@cellarhand/contract/decisions'
import type { TransitionRefusal } from '@cellarhand/contract/orders'
import type { CallError } from '#lib/calls/call.ts'
import { formatTime } from '#lib/time/dates.ts'
import { shopZone } from '#lib/time/shop-day.ts'

/** Refuse what nobody else has done. */
const rules: readonly string[] = ['presale_not_ready', 'duty_forbids']

/** Why a change was refused: what somebody else decided first, or the rule's words. */
export function refusalWords({ code, message, body }: CallError): string {
  const { latest } = body as Partial<TransitionRefusal>
  return latest && !rules.includes(code) ? firstWords(latest) : message
}

function firstWords(latest: NonNullable<TransitionRefusal['latest']>): string {
  const labels: Record<string, string> = actionLabels
  return `${latest.actor} was faster: ${labels[latest.action] ?? latest.action} at ${formatTime(latest.at, shopZone())}.`
}
