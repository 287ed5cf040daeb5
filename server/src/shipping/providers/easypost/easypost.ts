import { denialOf, isServiceAllowed } from '@cellarhand/contract/carrier-terms'
import type { LabelCarrier } from '@cellarhand/contract/carriers'
import { ProviderError } from '#platform/outside/provider-error.ts'
import { textOf } from '#platform/outside/answers.ts'
import { createOutside, type Outside } from '#platform/outside/outside.ts'
import type { HealthRecord } from '#platform/outside/health.ts'
import {
  LabelRefused,
  ServiceForbidden,
  SetUpElsewhere,
  type BoughtLabel,
  type LabelFormat,
  type LabelPaper,
  type LabelWish,
  type NotFound,
  type Quote,
  type ShippingAddress,
  type ShippingProvider,
} from '../../port/shipping-port.ts'
import type { LabelPress } from '../../port/label-tasks.ts'
import { zplType } from '../../port/label-files.ts'
import { readTrackerEvents } from '../../tracking/tracker-events.ts'
import {
  afterPurchase,
  apiOf,
  carrierNameOf,
  easyPostName as name,
  toRefusal,
  type Api,
} from './easypost-api.ts'
import { buyBatch, stillBuying } from './easypost-batch.ts'
import { fieldOf, readError, readRateMessages, refusalOf } from './label-error-of.ts'

export interface EasyPostOptions {
  readonly apiKey: string
  readonly webhookSecret: string
  /** `https://api.easypost.com/v2`, or a test's own server. */
  readonly baseUrl: string
  readonly health: HealthRecord
  /** Undefined where no label is fetched. */
  readonly placeOnLetter: LabelPress['placeOnLetter'] | undefined
  readonly timeoutMs?: number
}

const accountTypes: Readonly<Record<LabelCarrier, string>> = {
  FedEx: 'FedexAccount',
  UPS: 'UpsAccount',
  GSO: 'GsoAccount',
}
/** The carriers that take alcohol; EasyPost documents `alcohol` for these alone. */
const takesAlcohol: readonly LabelCarrier[] = ['FedEx', 'UPS']
/** Longer than any carrier keeps EasyPost waiting. A batch itself says that it is still under way. */
const certainAfterSeconds = 120
const ours = 'Connected by Cellarhand'

/** A thin client: the provider's own library neither stops a slow call nor understands a gateway's error page. */
export function createEasyPost(options: EasyPostOptions): ShippingProvider {
  const { apiKey, webhookSecret, baseUrl, health, placeOnLetter } = options
  const outside = createOutside({
    provider: name,
    health,
    timeoutMs: options.timeoutMs ?? 20_000,
    codeOf: (answer) => {
      const code = fieldOf(fieldOf(answer, 'error'), 'code')
      return typeof code === 'string' ? code : undefined
    },
  })
  const api = apiOf(outside, { baseUrl, apiKey })
  const fetching = { api, outside, placeOnLetter }

  const buy: ShippingProvider['buy'] = async ({ shipment, rate }, terms) => {
    const body = {
      rate: { id: rate },
      ...(terms.insurance > 0 ? { insurance: terms.insurance.toFixed(2) } : {}),
    }
    try {
      const bought = await api('POST', `/shipments/${encodeURIComponent(shipment)}/buy`, body)
      return await toBought(fetching, bought, terms)
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error
      if (error.code === 'SHIPMENT.POSTAGE.EXISTS') return await requireFound(shipment, terms)
      throw afterPurchase(error)
    }
  }

  return {
    name,
    certainAfterSeconds,
    findsByNumber: true,
    connect: (account) => connect(api, account),
    async disconnect(account) {
      const known = await api('GET', `/carrier_accounts/${encodeURIComponent(account)}`)
      // We must not remove an account that somebody set up at EasyPost by hand.
      if (fieldOf(known, 'description') === ours)
        await api('DELETE', `/carrier_accounts/${encodeURIComponent(account)}`)
    },
    quote: (wish) => quote(api, wish),
    buyMany: (quotes, terms) => buyBatch({ api, find }, quotes, terms),
    buy,
    find,
    async void(shipment) {
      const path = `/shipments/${encodeURIComponent(shipment)}`
      try {
        return isRefunded(await api('POST', `${path}/refund`))
      } catch (error) {
        if (!(error instanceof ProviderError) || error.kind !== 'rejected') throw error
        // Requested twice or too late: the shipment itself tells which.
        return isRefunded(await api('GET', path))
      }
    },
    readEvents: (signature, message) =>
      readTrackerEvents({ secret: webhookSecret, clock: health.clock }, signature, message),
    async probe() {
      await api('GET', '/carrier_accounts')
    },
  }

  async function find(shipment: string, paper: LabelPaper): Promise<BoughtLabel | NotFound> {
    try {
      const found = await api('GET', `/shipments/${encodeURIComponent(shipment)}`)
      return hasPostage(found) ? await toBought(fetching, found, paper) : await stillBuying(api, found)
    } catch (error) {
      if (error instanceof ProviderError && error.status === 404) return 'not_bought'
      throw error
    }
  }

  async function requireFound(shipment: string, paper: LabelPaper): Promise<BoughtLabel> {
    const found = await find(shipment, paper)
    if (typeof found === 'string') throw new ProviderError({ provider: name, kind: 'malformed' })
    return found
  }
}

/** Before a purchase, every failure means the same: nothing was bought. */
async function refusing<T>(work: Promise<T>, carrier: string): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    if (error.kind === 'rejected' || error.kind === 'unauthorized') throw toRefusal(error, carrier)
    if (error.code === 'SHIPMENT.RATES.UNAVAILABLE') throw new LabelRefused('rates_unavailable')
    throw error
  }
}

async function connect(api: Api, account: Parameters<ShippingProvider['connect']>[0]): Promise<string> {
  const { carrier, number } = account
  const type = accountTypes[carrier]
  const listed = await api('GET', '/carrier_accounts')
  const known = (Array.isArray(listed) ? (listed as unknown[]) : []).find(
    (each) => fieldOf(each, 'type') === type && isAccountOf(each, number),
  )
  const id = known === undefined ? await register() : fieldOf(known, 'id')
  if (typeof id !== 'string') throw new ProviderError({ provider: name, kind: 'malformed' })
  return id

  async function register(): Promise<unknown> {
    if (carrier !== 'GSO') throw new SetUpElsewhere(howToSetUp[carrier])
    const carrier_account = {
      type,
      description: ours,
      reference: number,
      credentials: { account_number: number },
    }
    return fieldOf(await refusing(api('POST', '/carrier_accounts', { carrier_account }), carrier), 'id')
  }
}

const andThen =
  'Please have whoever runs this server add your account in EasyPost’s dashboard, with the account number as its reference. Then save here again.'
/** Both want the account's owner on pages of their own, so their accounts are set up at EasyPost first. */
const howToSetUp = {
  FedEx: `FedEx confirms an account with a code that it sends by phone or e-mail, or with a recent invoice. ${andThen}`,
  UPS: `UPS confirms an account on its own sign-in page. ${andThen}`,
} as const

/** The reference of an account that was set up by hand has the number; else its credentials have it. */
function isAccountOf(account: unknown, number: string): boolean {
  const plain = (value: unknown) => (typeof value === 'string' ? value.replaceAll(/[\s-]/g, '') : '')
  const credentials = fieldOf(account, 'credentials')
  return [fieldOf(account, 'reference'), fieldOf(credentials, 'account_number')].some(
    (value) => plain(value) === number,
  )
}

async function quote(api: Api, wish: LabelWish): Promise<Quote> {
  const { carrier } = wish
  // All boxes go to the same address.
  if (wish.box.number === 1) await verifyAddress(api, wish)
  const shipment = await refusing(
    api('POST', '/shipments', {
      shipment: {
        reference: wish.reference,
        to_address: toAddress(wish.to),
        from_address: toAddress(wish.from),
        // Ounces, to one decimal.
        parcel: { weight: Math.max(0.1, Math.round(wish.weightPounds * 160) / 10) },
        carrier_accounts: [wish.account],
        options: {
          ...(takesAlcohol.includes(carrier) ? { alcohol: true } : {}),
          delivery_confirmation: 'ADULT_SIGNATURE',
          label_format: wish.format,
          label_size: '4x6',
          print_custom_1: `#${wish.orderNumber} ${wish.box.number}/${wish.box.count}`,
        },
      },
    }),
    carrier,
  )
  const id = fieldOf(shipment, 'id')
  const rate = cheapest(fieldOf(shipment, 'rates'), wish)
  if (typeof id !== 'string') throw new ProviderError({ provider: name, kind: 'malformed' })
  if (rate === undefined) {
    const said = readRateMessages(fieldOf(shipment, 'messages'))
    throw refusalOf(said, said.words.length === 0 ? 'rates_unavailable' : 'rates_failed')
  }
  return { shipment: id, ...rate }
}

async function verifyAddress(api: Api, { to, carrier }: LabelWish): Promise<void> {
  const address = await refusing(api('POST', '/addresses', { address: toAddress(to), verify: true }), carrier)
  const delivery = fieldOf(fieldOf(address, 'verifications'), 'delivery')
  if (delivery === undefined || fieldOf(delivery, 'success') === true) return
  throw refusalOf(readError({ error: { errors: fieldOf(delivery, 'errors') } }, null), 'invalid_street')
}

function toAddress(address: ShippingAddress): Record<string, string | null> {
  const { name: person, company, street1, street2, city, state, zip, country, phone, email } = address
  return { name: person, company, street1, street2, city, state, zip, country, phone, email }
}

/**
 * The cheapest of the services that the rules allow; undefined where the carrier has none at all. Compares cents, which
 * it takes from the text: a price is never a float.
 */
function cheapest(
  rates: unknown,
  { account, carrier, allowed, denied }: LabelWish,
): Omit<Quote, 'shipment'> | undefined {
  const all = Array.isArray(rates) ? (rates as unknown[]) : []
  const own = all.filter((rate) => {
    const of = fieldOf(rate, 'carrier_account_id')
    return of === undefined || of === account
  })
  const priced = own.flatMap((rate) => {
    const id = fieldOf(rate, 'id')
    const match = /^(\d+)(?:\.(\d{1,2}))?/.exec(String(fieldOf(rate, 'rate')))
    if (typeof id !== 'string' || match === null) return []
    const service = { carrier: String(fieldOf(rate, 'carrier')), service: String(fieldOf(rate, 'service')) }
    return [{ id, service, cents: Number(match[1]) * 100 + Number((match[2] ?? '').padEnd(2, '0')) }]
  })
  const lawful = priced.filter(
    ({ service: rate }) =>
      denialOf(denied, rate) === undefined && isServiceAllowed(allowed, { carrier, service: rate.service }),
  )
  if (priced.length > 0 && lawful.length === 0) {
    const denials = priced.flatMap(({ service }) => denialOf(denied, service)?.words ?? [])
    throw new ServiceForbidden([...new Set([...denials, ...(allowed ? [allowed.words] : [])])].join(' '))
  }
  const [best] = lawful.toSorted((a, b) => a.cents - b.cents)
  return best && { rate: best.id, cents: best.cents, service: best.service }
}

/** Each of them comes with the postage. One alone is enough: what counts as not bought may be bought again. */
function hasPostage(shipment: unknown): boolean {
  return ['tracking_code', 'selected_rate', 'postage_label'].some((part) => fieldOf(shipment, part))
}

/** The carrier that sold the postage; where that is unreadable, one of the offers, which are all of one account. */
function carrierOf(shipment: unknown): string | undefined {
  const rates = fieldOf(shipment, 'rates')
  const offers = Array.isArray(rates) ? (rates as unknown[]) : []
  const named = [fieldOf(shipment, 'selected_rate'), fieldOf(shipment, 'tracker'), ...offers]
  return named.map((part) => textOf(fieldOf(part, 'carrier'))).find((carrier) => carrier !== undefined)
}

/** "submitted" counts as done, because the carrier takes days to refund. */
function isRefunded(shipment: unknown): boolean {
  return ['submitted', 'refunded'].includes(String(fieldOf(shipment, 'refund_status')))
}

const fileFields = {
  PDF: ['label_pdf_url', 'application/pdf'],
  PNG: ['label_url', 'image/png'],
  ZPL: ['label_zpl_url', zplType],
} as const

interface Fetching extends Pick<EasyPostOptions, 'placeOnLetter'> {
  readonly api: Api
  readonly outside: Outside
}

async function toBought(
  fetching: Fetching,
  shipment: unknown,
  { merchantId, format, size }: LabelPaper,
): Promise<BoughtLabel> {
  const trackingCode = textOf(fieldOf(shipment, 'tracking_code'))
  const carrier = carrierOf(shipment)
  // The label exists by now, so an unreadable answer must be requested again.
  if (trackingCode === undefined || carrier === undefined)
    throw new ProviderError({ provider: name, kind: 'malformed' })
  const file = await fetchFile(fetching, shipment, format).catch((error: unknown) => {
    if (error instanceof ProviderError) return null
    throw error
  })
  const isForLetter = size === '8.5x11' && file?.mediaType === 'application/pdf'
  return {
    carrier: carrierNameOf(carrier),
    trackingCode,
    file: isForLetter ? await onLetter(fetching, merchantId, file) : file,
  }
}

/** The server keeps the bytes: the provider's own addresses are not for browsers. */
async function fetchFile(
  { api, outside }: Fetching,
  shipment: unknown,
  format: LabelFormat,
): Promise<BoughtLabel['file']> {
  const [field, mediaType] = fileFields[format]
  const id = fieldOf(shipment, 'id')
  let label = fieldOf(shipment, 'postage_label')
  if (labelUrl(label, { field, mediaType }) === undefined && format !== 'PNG' && typeof id === 'string') {
    const path = `/shipments/${encodeURIComponent(id)}/label?file_format=${format}`
    // Only pictures are converted. A label bought before the shop chose another format stays as it is.
    const converted = await api('GET', path).catch(() => undefined)
    label = fieldOf(converted, 'postage_label') ?? label
  }
  const url = labelUrl(label, { field, mediaType })
  if (url !== undefined) return fetchBytes(outside, { url, mediaType })
  const other = Object.values(fileFields).find(([, type]) => type === fieldOf(label, 'label_file_type'))
  const usual = fieldOf(label, 'label_url')
  return other === undefined || typeof usual !== 'string'
    ? null
    : fetchBytes(outside, { url: usual, mediaType: other[1] })
}

async function fetchBytes(outside: Outside, { url, mediaType }: { url: string; mediaType: string }) {
  const { bytes } = await outside.call({
    method: 'GET',
    url,
    expect: 'bytes',
    headers: { accept: mediaType },
  })
  return { mediaType, bytes }
}

/** A label requested in its format is under label_url, a converted one under its own field. */
function labelUrl(
  label: unknown,
  { field, mediaType }: { field: string; mediaType: string },
): string | undefined {
  const own = fieldOf(label, field)
  if (typeof own === 'string') return own
  const usual = fieldOf(label, 'label_url')
  return typeof usual === 'string' && fieldOf(label, 'label_file_type') === mediaType ? usual : undefined
}

/**
 * For shops that print on letter paper: the label in the middle of a page. A file that is unreadable, or waits too long
 * for its turn, stays as it is: the label is bought.
 */
async function onLetter(
  { placeOnLetter }: Fetching,
  merchantId: string,
  file: NonNullable<BoughtLabel['file']>,
): Promise<BoughtLabel['file']> {
  const bytes = await placeOnLetter?.(merchantId, file.bytes).catch(() => undefined)
  return bytes === undefined ? file : { ...file, bytes }
}
