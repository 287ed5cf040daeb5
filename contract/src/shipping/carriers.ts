/** The carriers whose labels can be bought here. */
export const labelCarriers = ['FedEx', 'UPS', 'GSO'] as const
export type LabelCarrier = (typeof labelCarriers)[number]

/** The carriers that a clerk can choose for a parcel. */
export const carriers = [...labelCarriers, 'OTHER'] as const
export type Carrier = (typeof carriers)[number]
