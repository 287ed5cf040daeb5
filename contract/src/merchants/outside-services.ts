import type { ServiceUse } from './merchants.ts'

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
