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

/** The text of the method column (GAP-93). A courier estimate turns the local methods into "with Courier". */
export function methodLabel(method: string, courierEstimateId: string | null): string {
  const withCourier = courierEstimateId === null ? '' : ' with Courier'
  if (method === 'on_demand') return `On Demand${withCourier}`
  if (method === 'scheduled') return `Scheduled${withCourier}`
  if (method === 'preorder' || method === 'deposit') return 'Pre-sale'
  return 'Shipping'
}

/** The name of a method in a filter. Unlike the column's text, it tells all methods apart. */
export function methodFilterLabel(method: string): string {
  if (method === 'deposit') return 'Pre-sale with deposit'
  if (method !== 'shipped' && methodLabel(method, null) === 'Shipping')
    return `Shipping (${method.replaceAll('_', ' ')})`
  return methodLabel(method, null)
}
