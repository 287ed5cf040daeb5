import { actionLabels } from '@cellarhand/contract/decisions'
import type { TransitionRefusal } from '@cellarhand/contract/orders'
import type { CallError } from '#lib/calls/call.ts'
import { shopZone } from '#lib/time/shop-day.ts'
import { untilWords } from '#lib/time/until-words.ts'

/** Refuse what nobody else has done, however often it is sent. */
const rules: readonly string[] = ['presale_not_ready', 'duty_forbids']
/** Says itself what to do first. */
const advice = 'courier_under_way'

export function isByRule({ code }: CallError): boolean {
  return rules.includes(code)
}

/** Why a change was refused: what somebody else decided first, or the rule's words. */
export function refusalWords(error: CallError): string {
  const { latest } = error.body as Partial<TransitionRefusal>
  return latest && !isByRule(error) && error.code !== advice ? firstWords(latest) : error.message
}

function firstWords(latest: NonNullable<TransitionRefusal['latest']>): string {
  const labels: Record<string, string> = actionLabels
  return `${latest.actor} was faster: ${labels[latest.action] ?? latest.action} at ${untilWords(latest.at, shopZone())}.`
}
