import { longestWarningMinutes, type AlarmRules } from '@cellarhand/contract/live'
import { warningsMs } from '@cellarhand/contract/on-track'
import { deliveryMethods, isLocal, type DeliveryMethod } from '@cellarhand/contract/order-statuses'

export interface MethodFields {
  isSoon: boolean
  minutes: string
  isLate: boolean
}
export interface RuleFields extends Record<DeliveryMethod, MethodFields> {
  isQuiet: boolean
}

/** A method that is switched on begins with the warning time of its badge. */
export function toFields({ rules, quiet_when_closed: isQuiet }: AlarmRules): RuleFields {
  const rows = deliveryMethods.map((method): [DeliveryMethod, MethodFields] => {
    const rule = rules.find((each) => each.method === method)
    const usual = (isLocal(method) ? warningsMs.local : warningsMs.carrier) / 60_000
    return [
      method,
      {
        isSoon: rule !== undefined && rule.soon_minutes !== null,
        minutes: String(rule?.soon_minutes ?? usual),
        isLate: rule?.late ?? false,
      },
    ]
  })
  return { ...(Object.fromEntries(rows) as Record<DeliveryMethod, MethodFields>), isQuiet }
}

/** Undefined of a method that is switched off. */
function ruleOf({ isSoon, minutes, isLate }: MethodFields) {
  if (!isSoon && !isLate) return undefined
  return { soon_minutes: isSoon ? Number(minutes.trim()) : null, late: isLate }
}

export function toRules(fields: RuleFields): AlarmRules {
  const rules = deliveryMethods.flatMap((method) => {
    const rule = ruleOf(fields[method])
    return rule ? [{ method, ...rule }] : []
  })
  return { rules, quiet_when_closed: fields.isQuiet }
}

/** By the names of the fields. */
export function sentOf(fields: RuleFields): Record<keyof RuleFields, unknown> {
  const rules = deliveryMethods.map((method) => [method, ruleOf(fields[method])] as const)
  return { ...(Object.fromEntries(rules) as Record<DeliveryMethod, unknown>), isQuiet: fields.isQuiet }
}

export function problemOf({ isSoon, minutes }: MethodFields): string | undefined {
  if (!isSoon) return undefined
  const number = Number(minutes.trim())
  const isGood = /^\d{1,5}$/.test(minutes.trim()) && number >= 1 && number <= longestWarningMinutes
  return isGood ? undefined : `Please enter whole minutes from 1 to ${longestWarningMinutes}`
}
