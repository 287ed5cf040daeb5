/** The sandbox courier's behaviour at an address; at any other address, it delivers. */
export type CourierPlan =
  | 'delivers'
  | 'too_far'
  | 'not_covered'
  | 'closed'
  | 'busy'
  | 'answer_lost'
  | 'request_lost'
  | 'broken'
  | 'never_found'
  | 'courier_cancels'
  | 'nobody_home'
  | 'silent_check'

export interface CourierSentinel {
  readonly street: string
  readonly plan: CourierPlan
}

/** All first street lines at which a courier fails, so that the demo can show each failure. */
export const courierSentinels: readonly CourierSentinel[] = [
  { street: '900 Too Far Road', plan: 'too_far' },
  { street: '901 No Coverage Road', plan: 'not_covered' },
  { street: '902 Closed Hours Road', plan: 'closed' },
  { street: '903 Busy Couriers Road', plan: 'busy' },
  { street: '904 Lost Answer Road', plan: 'answer_lost' },
  { street: '905 Lost Request Road', plan: 'request_lost' },
  { street: '906 Broken Service Road', plan: 'broken' },
  { street: '907 No Courier Found Road', plan: 'never_found' },
  { street: '908 Courier Cancels Road', plan: 'courier_cancels' },
  { street: '909 Nobody Home Road', plan: 'nobody_home' },
]

/** Here the courier delivers, and its service does not tell the result of the ID check. */
export const silentCheckStreet = '910 Silent Check Road'

export function courierPlanAt(street: string | undefined): CourierPlan {
  const asked = street?.trim().toLowerCase()
  if (asked === silentCheckStreet.toLowerCase()) return 'silent_check'
  return courierSentinels.find((sentinel) => sentinel.street.toLowerCase() === asked)?.plan ?? 'delivers'
}
