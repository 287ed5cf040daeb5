import type { AllowedServices, Denial } from '@cellarhand/contract/carrier-terms'
import type { LabelCarrier } from '@cellarhand/contract/carriers'
import type { LabelErrorCode } from '@cellarhand/contract/label-errors'

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
  /** Ours, unique per box and purchase; the provider stores it with the shipment. */
  readonly reference: string
  readonly orderNumber: string
  readonly box: { readonly number: number; readonly count: number }
  readonly carrier: LabelCarrier
  /** The provider's id of the merchant's account, from `connect`. */
  readonly account: string
  readonly from: ShippingAddress
  readonly to: ShippingAddress
  readonly weightPounds: number
  readonly size: LabelSize
  readonly format: LabelFormat
  readonly timezone: string
  /** The only services that the label may be of; undefined where any will do. */
  readonly allowed: AllowedServices | undefined
  /** The carriers that may not have the parcel, also not for its last miles. */
  readonly denied: readonly Denial[] | undefined
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
  /** Ours; the provider stores it with the batch. */
  readonly reference: string
  /** Ends the wait when aborted. */
  readonly signal: AbortSignal
  /** Called right before the call that spends money; if it fails, nothing is bought. */
  readonly beforeMoney: () => Promise<void>
}

export interface LabelPaper {
  /** The label takes this shop's turn when it is placed on other paper. */
  readonly merchantId: string
  readonly format: LabelFormat
  readonly size: LabelSize
}

export interface BoughtLabel {
  readonly carrier: string
  readonly trackingCode: string
  readonly file: { readonly mediaType: string; readonly bytes: Buffer } | null
}

/** Not bought as far as is known now; or the provider says that it is still working on it. */
export type NotFound = 'not_bought' | 'under_way'

interface ConnectedAccount {
  readonly carrier: LabelCarrier
  readonly number: string
  readonly zip: string
  /** The account that was connected before, which this one replaces. */
  readonly replaces: string | undefined
}

export type TrackerStatus = 'in_transit' | 'out_for_delivery' | 'at_pickup_point' | 'delivered' | 'failed'

export interface TrackerEvent {
  readonly id: string
  readonly trackingCode: string
  readonly status: TrackerStatus
  readonly at: string | null
  /** Why a parcel does not arrive, as the carrier says it. */
  readonly words: string | null
}

/**
 * A provider that sells labels and follows parcels. A refusal is `LabelRefused`. Any failure between us and the
 * provider is a `ProviderError`, which says whether the call may have had its effect.
 */
export interface ShippingProvider {
  readonly name: string
  /** Checks the account with the carrier, and answers the provider's name of it. May throw `SetUpElsewhere` too. */
  connect(account: ConnectedAccount): Promise<string>
  disconnect(account: string): Promise<void>
  /** Costs nothing; reports every fault of the address that can be found before money is spent. */
  quote(wish: LabelWish): Promise<Quote>
  buy(
    quote: Pick<Quote, 'shipment' | 'rate'>,
    terms: LabelPaper & { insurance: number },
  ): Promise<BoughtLabel>
  /**
   * Buys many at once, if the provider has a call for that. Returns the certain results by shipment; a missing one may
   * have been bought. Fails only while nothing can have been bought. `not_taken` means that the provider does not sell
   * these as a batch, but perhaps one by one.
   */
  buyMany?(
    quotes: readonly Quote[],
    terms: ManyTerms,
  ): Promise<ReadonlyMap<string, BoughtLabel | LabelRefused> | 'not_taken'>
  /** If the provider does not know a purchase so long after the call, it never happened. */
  readonly certainAfterSeconds: number
  /** It finds an account by the number alone, of any merchant, so a number belongs to one of them. */
  readonly findsByNumber?: true
  /** The result of a purchase whose answer was lost. */
  find(shipment: string, paper: LabelPaper): Promise<BoughtLabel | NotFound>
  /** False if the carrier has scanned the parcel. May be repeated. */
  void(shipment: string): Promise<boolean>
  /** The tracker events in a signed message; undefined when the signature is wrong, empty when it is about something else. */
  readEvents(
    signature: string | undefined,
    message: { readonly rawBody: string; readonly body: unknown },
  ): TrackerEvent[] | undefined
  /** The least that shows that it answers and knows our key. */
  probe(): Promise<void>
}

export interface CarrierWords {
  readonly message: string
  readonly carrier: string | null
}

/** The provider or the carrier said no, so nothing was bought. */
/** The carrier takes no account from here; the message says how it is done. */
export class SetUpElsewhere extends Error {}

export class LabelRefused extends Error {
  /** Undefined if only the carrier's own words give the reason. */
  readonly code: LabelErrorCode | undefined
  readonly words: readonly CarrierWords[]
  constructor(code: LabelErrorCode | undefined, words: readonly CarrierWords[] = []) {
    super(`The label was refused: ${code ?? 'in words of the carrier'}`)
    this.name = 'LabelRefused'
    this.code = code
    this.words = words
  }
}

/** The carrier would sell a label, but of no service that the rules allow. */
export class ServiceForbidden extends LabelRefused {
  /** The rule's. */
  readonly reason: string
  constructor(words: string) {
    super(undefined, [{ message: words, carrier: null }])
    this.reason = words
  }
}
