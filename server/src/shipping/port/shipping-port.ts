import type { LabelErrorCode } from '@cellarhand/contract/label-errors'

export type CarrierName = 'FedEx' | 'UPS' | 'GSO'

export interface ShippingAddress {
  readonly name: string
  readonly company: string | null
  readonly street1: string
  readonly street2: string | null
  readonly city: string
  readonly state: string
  readonly zip: string
  readonly country: string
  readonly phone: string | null
  readonly email: string | null
}

export interface LabelWish {
  /** Ours, unique per box and purchase; the provider keeps it beside the shipment. */
  readonly reference: string
  readonly orderNumber: string
  readonly box: { readonly number: number; readonly count: number }
  readonly carrier: CarrierName
  /** The provider's name of the merchant's account, as `connect` answered it. */
  readonly account: string
  readonly from: ShippingAddress
  readonly to: ShippingAddress
  readonly weightPounds: number
  readonly size: LabelSize
  readonly format: LabelFormat
  readonly timezone: string
}

export type LabelSize = '4x6' | '8.5x11'
export type LabelFormat = 'PDF' | 'PNG' | 'ZPL'

export interface Quote {
  readonly shipment: string
  readonly rate: string
  readonly cents: number
  /** The provider's own names of what the rate is for, where it has to be told them again. */
  readonly service?: { readonly carrier: string; readonly service: string } | undefined
}

export interface ManyTerms extends LabelPaper {
  /** Ours; the provider keeps it beside the batch. */
  readonly reference: string
  /** Waits no longer when aborted. */
  readonly signal: AbortSignal
  /** Called right before the call that spends money; when it fails, nothing is bought. */
  readonly beforeMoney: () => Promise<void>
}

export interface LabelPaper {
  readonly format: LabelFormat
  readonly size: LabelSize
}

export interface BoughtLabel {
  readonly carrier: string
  readonly trackingCode: string
  readonly file: { readonly mediaType: string; readonly bytes: Buffer } | null
}

/** Not bought as far as is known now; or the provider says that it is still at it. */
export type NotFound = 'not_bought' | 'under_way'

interface ConnectedAccount {
  readonly carrier: CarrierName
  readonly number: string
  readonly zip: string
  readonly merchantName: string
  /** The account that was connected before, which this one replaces. */
  readonly replaces: string | undefined
}

export type TrackerStatus = 'in_transit' | 'out_for_delivery' | 'delivered' | 'failed'

export interface TrackerEvent {
  readonly id: string
  readonly trackingCode: string
  readonly status: TrackerStatus
  readonly at: string | null
}

/**
 * Who sells labels and follows parcels. Refusals are `LabelRefused`; everything between us and the provider is a
 * `ProviderError`, which says whether the call may have had its effect.
 */
export interface ShippingProvider {
  readonly name: string
  /** Checks the account with the carrier, and answers the provider's name of it. */
  connect(account: ConnectedAccount): Promise<string>
  disconnect(account: string): Promise<void>
  /** Costs nothing; says everything about the address that can be said before money is spent. */
  quote(wish: LabelWish): Promise<Quote>
  buy(quote: Pick<Quote, 'shipment' | 'rate'>, terms: LabelPaper & { insurance: number }): Promise<BoughtLabel>
  /**
   * Buys many at once, for who has a call for that; by shipment, what is certain of each. What is missing in the
   * answer may have been bought. Fails only while nothing can have been. `not_taken`: it does not sell these like that,
   * but perhaps one by one.
   */
  buyMany?(
    quotes: readonly Quote[],
    terms: ManyTerms,
  ): Promise<ReadonlyMap<string, BoughtLabel | LabelRefused> | 'not_taken'>
  /** What it does not know of so long after it was asked for was never bought. */
  readonly certainAfterSeconds: number
  /** What became of a purchase whose answer was lost. */
  find(shipment: string, paper: LabelPaper): Promise<BoughtLabel | NotFound>
  /** False: the carrier has seen the parcel. Doing it twice is harmless. */
  void(shipment: string): Promise<boolean>
  /** The tracker events in a signed message; undefined when the signature is wrong, empty when it is about something else. */
  readEvents(signature: string | undefined, rawBody: string): TrackerEvent[] | undefined
  /** The least that shows that it answers and knows our key. */
  probe(): Promise<void>
}

export interface CarrierWords {
  readonly message: string
  readonly carrier: string | null
}

/** The provider or the carrier said no, so nothing was bought. */
export class LabelRefused extends Error {
  /** Undefined: only the carrier's own words say why. */
  readonly code: LabelErrorCode | undefined
  readonly words: readonly CarrierWords[]
  constructor(code: LabelErrorCode | undefined, words: readonly CarrierWords[] = []) {
    super(`The label was refused: ${code ?? 'in words of the carrier'}`)
    this.name = 'LabelRefused'
    this.code = code
    this.words = words
  }
}
