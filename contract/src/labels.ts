import type { ServiceUse } from './merchants.ts'
import type { DisplayGroup, Tab } from './order-statuses.ts'

export const tabLabels: Record<Tab, string> = {
  active: 'Active',
  on_hold: 'On hold',
  cancelled: 'Cancelled',
  completed: 'Completed',
}

/** The address of a tab (GAP-77: the route says on-hold, the wire on_hold). */
export const tabRoutes: Record<Tab, string> = {
  active: 'active',
  on_hold: 'on-hold',
  cancelled: 'cancelled',
  completed: 'completed',
}

export const displayGroupLabels: Record<DisplayGroup, string> = {
  new: 'New',
  printed: 'Printed',
  accepted: 'Accepted',
  shipped: 'Shipped',
  completed: 'Completed',
  rejected: 'Rejected',
}

/** What the method column says (GAP-93); a courier estimate turns the local methods into "with Courier". */
export function methodLabel(method: string, courierEstimateId: string | null): string {
  const withCourier = courierEstimateId === null ? '' : ' with Courier'
  if (method === 'on_demand') return `On Demand${withCourier}`
  if (method === 'scheduled') return `Scheduled${withCourier}`
  if (method === 'preorder' || method === 'deposit') return 'Pre-sale'
  return 'Shipping'
}

/** What a filter calls a method; unlike the column it has to tell all of them apart. */
export function methodFilterLabel(method: string): string {
  if (method === 'deposit') return 'Pre-sale with deposit'
  if (method !== 'shipped' && methodLabel(method, null) === 'Shipping')
    return `Shipping (${method.replaceAll('_', ' ')})`
  return methodLabel(method, null)
}

/** Roles without a label are shown by their name (GAP-165). */
export function roleLabel(role: string): string {
  const labels: Record<string, string> = {
    'merch.manager': 'Manager',
    'merch.owner': 'Owner',
    'merch.user': 'Member',
  }
  return Object.hasOwn(labels, role) ? (labels[role] ?? role) : role
}

export const itemRejectionCodes = ['outOfStock', 'wrongPrice', 'orderRejected', 'other'] as const

export const carriers = ['FedEx', 'UPS', 'GSO', 'OTHER'] as const
export type Carrier = (typeof carriers)[number]

/** What was looked at when the recipient's age was checked; never its number, never a birth date. */
export const ageCheckMethods = ['driver_license', 'state_id', 'passport', 'military_id', 'other_id'] as const
export type AgeCheckMethod = (typeof ageCheckMethods)[number]
export const ageCheckMethodLabels: Record<AgeCheckMethod, string> = {
  driver_license: "Driver's license",
  state_id: 'State ID',
  passport: 'Passport',
  military_id: 'Military ID',
  other_id: 'Other ID',
}

/** Why an order was not handed over at the door. */
export const refusedHandOverReasons = ['under_21', 'no_valid_id', 'nobody_there', 'intoxicated'] as const
export type RefusedHandOverReason = (typeof refusedHandOverReasons)[number]
export const refusedHandOverLabels: Record<RefusedHandOverReason, string> = {
  under_21: 'Under 21',
  no_valid_id: 'No valid ID',
  nobody_there: 'Nobody there',
  intoxicated: 'Intoxicated',
}

export const serviceLabels: Record<ServiceUse, string> = {
  labels: 'Shipping labels',
  couriers: 'Couriers',
  texts: 'Text messages',
  maps: 'Maps',
  payments: 'Payments',
  mail: 'Mail',
  news: 'News',
  files: 'Files',
  events: 'Events',
  errors: 'Error reports',
}
