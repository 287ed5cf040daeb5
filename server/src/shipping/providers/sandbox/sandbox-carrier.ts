import { randomBytes, randomInt } from 'node:crypto'
import { isServiceAllowed } from '@cellarhand/contract/carrier-terms'
import type { LabelCarrier } from '@cellarhand/contract/carriers'
import type { LabelErrorCode } from '@cellarhand/contract/label-errors'
import { labelErrors } from '@cellarhand/contract/label-errors'
import { drawZplLabel, loadLabels, type LabelParty } from '#documents/public.ts'
import type { Database } from '#platform/db/database.ts'
import { ProviderError } from '#platform/outside/provider-error.ts'
import { lateAnswerStreet, noPaperStreet, sentinelAddresses } from '../../port/sentinel-addresses.ts'
import { zplType } from '../../port/label-files.ts'
import {
  LabelRefused,
  ServiceForbidden,
  type BoughtLabel,
  type LabelWish,
  type ShippingAddress,
  type ShippingProvider,
} from '../../port/shipping-port.ts'
import { readTrackerEvents } from '../../tracking/tracker-events.ts'
import { makeTrackingNumber } from './tracking-numbers.ts'

const sandboxName = 'Sandbox carrier'

/** Its purchase is one statement, and the database ends a statement that takes longer. */
const certainAfterSeconds = 15
const onlyService = 'Ground'
/** How long the sandbox itself does not know a purchase whose answer it lost. */
const lateAfterMs = 4_000

interface Parcel {
  readonly carrier: LabelCarrier
  readonly state: 'quoted' | 'bought' | 'refunded'
  readonly tracking_code: string | null
  readonly label: string
  readonly bought_at: Date | null
  readonly steps_reported: number
}

/** A carrier that sells nothing but behaves like a real one: its records are our rows, and some addresses fail. */
export function createSandboxCarrier(db: Database, webhookSecret: string): ShippingProvider {
  const find = async (shipment: string): Promise<Parcel | undefined> => {
    const [parcel] = await db.systemQuery<Parcel>(
      'select carrier, state, tracking_code, label, bought_at, steps_reported from sandbox_parcels where shipment = $1',
      [shipment],
    )
    return parcel
  }

  return {
    name: sandboxName,
    certainAfterSeconds,
    async connect({ carrier, number }) {
      if (number.endsWith('0000')) throw new LabelRefused('account_unauthorized')
      return `sandbox-${carrier.toLowerCase()}-${randomBytes(6).toString('hex')}`
    },
    async disconnect() {},
    async quote(wish) {
      refuseSentinel(wish)
      const { carrier, allowed } = wish
      if (!isServiceAllowed(allowed, { carrier, service: onlyService }) && allowed !== undefined)
        throw new ServiceForbidden(allowed.words)
      const shipment = `shp_${randomBytes(16).toString('hex')}`
      await db.systemQuery('insert into sandbox_parcels (shipment, carrier, label) values ($1, $2, $3)', [
        shipment,
        wish.carrier,
        JSON.stringify(wish),
      ])
      const service = { carrier: wish.carrier, service: onlyService }
      return { shipment, rate: `rate_${randomBytes(8).toString('hex')}`, cents: priceOf(wish), service }
    },
    async buy({ shipment }) {
      const parcel = await find(shipment)
      if (parcel === undefined) throw new LabelRefused('general')
      await db.systemQuery(
        `update sandbox_parcels set state = 'bought', tracking_code = $2, bought_at = now() where shipment = $1 and state = 'quoted'`,
        [shipment, makeTrackingNumber(parcel.carrier, randomDigits)],
      )
      const bought = await find(shipment)
      if (wishOf(parcel).to.street1 === lateAnswerStreet)
        throw new ProviderError({ provider: sandboxName, kind: 'no_answer' })
      return toBought(bought ?? parcel, db.clock.nowMs())
    },
    async find(shipment) {
      const parcel = await find(shipment)
      if (parcel?.state !== 'bought') return 'not_bought'
      const isLate = wishOf(parcel).to.street1 === lateAnswerStreet
      const age = db.clock.nowMs() - (parcel.bought_at?.getTime() ?? 0)
      return isLate && age < lateAfterMs ? 'not_bought' : toBought(parcel, db.clock.nowMs())
    },
    async void(shipment) {
      const [refunded] = await db.systemQuery(
        `update sandbox_parcels set state = 'refunded' where shipment = $1 and state <> 'quoted' and steps_reported = 0 returning 1`,
        [shipment],
      )
      return refunded !== undefined
    },
    readEvents: (signature, message) =>
      readTrackerEvents({ secret: webhookSecret, clock: db.clock }, signature, message),
    async probe() {},
  }
}

/** Some price that grows with the weight, as every carrier's does. */
function priceOf({ weightPounds }: LabelWish): number {
  return 890 + 65 * Math.ceil(weightPounds)
}

function wishOf({ label }: Parcel): LabelWish {
  return JSON.parse(label) as LabelWish
}

function refuseSentinel({ to, carrier }: LabelWish): void {
  const sentinel = sentinelAddresses.find(({ place }) => place.street_1 === to.street1)
  if (sentinel === undefined || [lateAnswerStreet, noPaperStreet].includes(to.street1)) return
  const isKnown = Object.hasOwn(labelErrors, sentinel.code)
  const message = isKnown
    ? 'The sandbox carrier refuses this address.'
    : 'The package exceeds the weight limit of 150 lbs.'
  throw new LabelRefused(isKnown ? (sentinel.code as LabelErrorCode) : undefined, [{ message, carrier }])
}

async function toBought(parcel: Parcel, nowMs: number): Promise<BoughtLabel> {
  const wish = wishOf(parcel)
  const known = { carrier: wish.carrier, trackingCode: parcel.tracking_code ?? '' }
  if (wish.to.street1 === noPaperStreet) return { ...known, file: null }
  const label = {
    carrier: wish.carrier,
    service: onlyService,
    trackingCode: parcel.tracking_code ?? '',
    from: partyOf(wish.from),
    to: partyOf(wish.to),
    box: wish.box,
    weightPounds: wish.weightPounds,
    orderNumber: wish.orderNumber,
    shippedAt: parcel.bought_at ?? new Date(nowMs),
    timezone: wish.timezone,
    needsAdultSignature: true,
    isSample: true,
  }
  if (wish.format === 'ZPL')
    return { ...known, file: { mediaType: zplType, bytes: Buffer.from(drawZplLabel(label)) } }
  const { drawLabelPicture, drawLabels, drawLabelsOnLetter } = await loadLabels()
  if (wish.format === 'PNG')
    return { ...known, file: { mediaType: 'image/png', bytes: drawLabelPicture(label) } }
  const draw = wish.size === '4x6' ? drawLabels : drawLabelsOnLetter
  return { ...known, file: { mediaType: 'application/pdf', bytes: Buffer.from(await draw([label])) } }
}

function partyOf(address: ShippingAddress): LabelParty {
  const { name, street1, street2, city, state, zip, phone } = address
  return { name, lines: [street1, street2, `${city}, ${state} ${zip}`], phone }
}

function randomDigits(count: number): string {
  return Array.from({ length: count }, () => randomInt(10)).join('')
}
