import { longestWarningMinutes, type AlarmRules } from '@cellarhand/contract/live'
import { warningsMs } from '@cellarhand/contract/on-track'
import { deliveryMethods, isLocal, type DeliveryMethod } from '@cellarhand/contract/order-statuses'

export interface MethodFields {
  isSoon: boolean
  minutes: string
  isLate: boolean
}
export type RuleFields = Record<DeliveryMethod, MethodFields>

/** A method that is switched on begins with the warning time of its badge. */
export function toFields({ rules }: AlarmRules): RuleFields {
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
  return Object.fromEntries(rows) as RuleFields
}

export function toRules(fields: RuleFields): AlarmRules['rules'] {
  return deliveryMethods.flatMap((method) => {
    const { isSoon, minutes, isLate } = fields[method]
    if (!isSoon && !isLate) return []
    return [{ method, soon_minutes: isSoon ? Number(minutes.trim()) : null, late: isLate }]
  })
}

export function problemOf({ isSoon, minutes }: MethodFields): string | undefined {
  if (!isSoon) return undefined
  const number = Number(minutes.trim())
  const isGood = /^\d{1,5}$/.test(minutes.trim()) && number >= 1 && number <= longestWarningMinutes
  return isGood ? undefined : `Please enter whole minutes from 1 to ${longestWarningMinutes}`
}
