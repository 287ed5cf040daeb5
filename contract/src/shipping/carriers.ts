export const carriers = ['FedEx', 'UPS', 'GSO', 'OTHER'] as const
export type Carrier = (typeof carriers)[number]
