import { randomBytes } from 'node:crypto'
import { easyPostBatches, refusal, type EasyPostBatches, type Shipment } from './easypost-batches.ts'
import {
  startLoopback,
  type Loopback,
  type LoopbackAnswer,
  type LoopbackRequest,
} from '../processes/loopback.ts'

/** How one future request fails: before its effect, or after. */
interface Fault {
  readonly path: RegExp
  readonly answer: LoopbackAnswer
  readonly isAfter: boolean
}

export interface EasyPostServer extends Loopback {
  readonly shipments: Map<string, Shipment>
  readonly batches: EasyPostBatches
  readonly accounts: Record<string, unknown>[]
  /** The next request to such a path fails like this, once. */
  fail(path: RegExp, answer: LoopbackAnswer, when?: 'before' | 'after'): void
  /** The next request to such a path waits until this is done; others do not. */
  delay(path: RegExp, meanwhile: () => Promise<unknown>): void
  /** From now on, the carrier answers requests for rates with these; undefined means as usual. */
  rateMessages: { carrier: string; message: string }[] | undefined
  /** The price of the only rate that it sells: every other one is a mistake of the buyer. */
  sellsAt: string
  /** Rates that it offers beside its usual ones. */
  alsoSells: readonly { carrier: string; service: string; rate: string }[]
}

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

const kinds: Record<string, readonly [string, string]> & { PNG: readonly [string, string] } = {
  PNG: ['png', 'image/png'],
  PDF: ['pdf', 'application/pdf'],
  ZPL: ['zpl', 'application/zpl'],
}

/** EasyPost's answers, in its own shapes, over real HTTP; it sells nothing. */
export async function startEasyPost(apiKey: string): Promise<EasyPostServer> {
  const shipments = new Map<string, Shipment>()
  const accounts: Record<string, unknown>[] = []
  const faults: Fault[] = []
  const delays: { path: RegExp; meanwhile: () => Promise<unknown> }[] = []
  let sold = 0
  const state: Pick<EasyPostServer, 'rateMessages' | 'sellsAt' | 'alsoSells'> = {
    rateMessages: undefined,
    sellsAt: '8.20',
    alsoSells: [],
  }
  const nextCode = () => `1Z999AA1${String(++sold).padStart(10, '0')}`
  const batches = easyPostBatches(shipments, nextCode)
  const loopback = await startLoopback(async (request) => {
    const late = delays.findIndex(({ path }) => path.test(`${request.method} ${request.path}`))
    if (late !== -1) await delays.splice(late, 1)[0]?.meanwhile()
    const index = faults.findIndex(({ path }) => path.test(`${request.method} ${request.path}`))
    const [fault] = index === -1 ? [] : faults.splice(index, 1)
    if (fault?.isAfter === false) return fault.answer
    const answer = await respond(request)
    return fault === undefined ? answer : fault.answer
  })
  const url = loopback.url
  const wire = (shipment: Shipment) => wireOf(url, shipment)

  async function respond(request: LoopbackRequest): Promise<LoopbackAnswer> {
    if (request.path.startsWith('/labels/')) return labelFile(request)
    const expected = `Basic ${Buffer.from(`${apiKey}:`).toString('base64')}`
    if (request.headers.authorization !== expected)
      return refusal(401, { code: 'UNAUTHORIZED', message: 'The API key is wrong.' })
    const [, kind, id = '', verb = ''] = request.path.split('/')
    const body = (request.json ?? {}) as Record<string, Record<string, unknown>>
    if (kind === 'addresses') return { status: 201, json: verified(body['address'] ?? {}) }
    if (kind === 'carrier_accounts') return carrierAccounts(accounts, request, id)
    if (kind === 'batches') return batches.answer({ id, verb }, body['batch'] ?? {})
    if (kind !== 'shipments') return refusal(404, { code: 'NOT_FOUND', message: 'There is no such address.' })
    if (id === '') return { status: 201, json: created(body['shipment'] ?? {}) }
    const shipment = shipments.get(id)
    if (shipment === undefined) return refusal(404, { code: 'NOT_FOUND', message: 'No such shipment.' })
    if (verb === 'buy') return buy(shipment, body)
    if (verb === 'refund') return refund(shipment)
    if (verb === 'label')
      return { json: { ...wire(shipment), postage_label: { label_pdf_url: fileOf(url, shipment, 'pdf') } } }
    return { json: wire(shipment) }
  }

  function created(request: Record<string, unknown>) {
    const id = `shp_${randomBytes(8).toString('hex')}`
    const [account = ''] = (request['carrier_accounts'] ?? []) as string[]
    const isMissing = state.rateMessages !== undefined
    const rate = (price: string, service: string, carrier = 'UPSDAP') => ({
      id: `rate_${randomBytes(6).toString('hex')}`,
      carrier,
      service,
      rate: price,
      currency: 'USD',
      carrier_account_id: account,
    })
    const more = state.alsoSells.map((each) => rate(each.rate, each.service, each.carrier))
    const rates = isMissing
      ? []
      : [...more, rate('21.40', 'NextDay'), rate('8.20', 'Ground'), rate('13.05', 'TwoDay')]
    const shipment: Shipment = {
      id,
      carrier: 'UPSDAP',
      rates,
      tracking_code: null,
      refund_status: null,
      insurance: null,
      request,
      batch_id: null,
      batch_status: null,
      batch_message: null,
    }
    shipments.set(id, shipment)
    const messages = (state.rateMessages ?? []).map((each) => ({
      ...each,
      type: 'rate_error',
      carrier_account_id: account,
    }))
    return { ...wire(shipment), rates, messages }
  }

  function buy(shipment: Shipment, body: Record<string, unknown>): LoopbackAnswer {
    if (shipment.tracking_code !== null)
      return refusal(422, {
        code: 'SHIPMENT.POSTAGE.EXISTS',
        message: 'Postage already exists for this shipment.',
      })
    const due = shipment.rates.find(({ rate }) => rate === state.sellsAt)
    if ((body['rate'] as { id?: string } | undefined)?.id !== due?.id)
      return refusal(422, { code: 'SHIPMENT.RATE.MISSING', message: 'That rate is not one of ours.' })
    shipment.tracking_code = nextCode()
    shipment.insurance = (body['insurance'] as string | undefined) ?? null
    return { json: wire(shipment) }
  }

  function refund(shipment: Shipment): LoopbackAnswer {
    if (shipment.tracking_code === null)
      return refusal(422, { code: 'SHIPMENT.REFUND.UNAVAILABLE', message: 'Nothing to refund.' })
    if (shipment.refund_status !== null)
      return refusal(422, { code: 'SHIPMENT.REFUND.UNAVAILABLE', message: 'Refund was requested already.' })
    shipment.refund_status = 'submitted'
    return { json: wire(shipment) }
  }

  return Object.assign(state, loopback, {
    shipments,
    batches,
    accounts,
    delay: (path: RegExp, meanwhile: () => Promise<unknown>) => void delays.push({ path, meanwhile }),
    fail: (path: RegExp, answer: LoopbackAnswer, when: 'before' | 'after' = 'before') =>
      void faults.push({ path, answer, isAfter: when === 'after' }),
  })
}

async function labelFile({ path }: LoopbackRequest): Promise<LoopbackAnswer> {
  if (path.endsWith('.png')) return { headers: { 'content-type': 'image/png' }, bytes: png }
  if (path.endsWith('.zpl'))
    return { headers: { 'content-type': 'application/zpl' }, bytes: Buffer.from(`^XA^FD${path}^FS^XZ`) }
  const { PDFDocument } = await import('@cantoo/pdf-lib')
  const pdf = await PDFDocument.create()
  pdf.addPage([288, 432]).drawText('label', { x: 40, y: 40 })
  return { headers: { 'content-type': 'application/pdf' }, bytes: Buffer.from(await pdf.save()) }
}

function verified(address: Record<string, unknown>) {
  const isKnown = address['street1'] !== '0 Nowhere Street'
  const errors = [
    { code: 'E.ADDRESS.NOT_FOUND', field: 'address', message: 'Address not found', suggestion: null },
  ]
  return {
    id: `adr_${randomBytes(8).toString('hex')}`,
    ...address,
    verifications: { delivery: { success: isKnown, errors: isKnown ? [] : errors, details: {} } },
  }
}

function carrierAccounts(
  accounts: Record<string, unknown>[],
  { method, path, json }: LoopbackRequest,
  id: string,
): LoopbackAnswer {
  if (method === 'GET' && id === '') return { json: accounts }
  if (method === 'POST') {
    const asked = ((json ?? {}) as { carrier_account?: Record<string, unknown> }).carrier_account ?? {}
    if (asked['reference'] === 'BAD1')
      return refusal(422, {
        code: 'CARRIER_ACCOUNT.INVALID',
        message: 'The account is not known to the carrier.',
      })
    const account = { id: `ca_${randomBytes(8).toString('hex')}`, ...asked, path }
    accounts.push(account)
    return { status: 201, json: account }
  }
  const at = accounts.findIndex((account) => account['id'] === id)
  if (at === -1) return refusal(404, { code: 'NOT_FOUND', message: 'No such account.' })
  if (method === 'DELETE') accounts.splice(at, 1)
  return { json: accounts[at] ?? {} }
}

function wireOf(url: string, shipment: Shipment) {
  const isSold = shipment.tracking_code !== null
  const options = (shipment.request['options'] ?? {}) as { label_format?: string }
  const [ending, type] = kinds[options.label_format ?? 'PNG'] ?? kinds.PNG
  return {
    id: shipment.id,
    object: 'Shipment',
    reference: shipment.request['reference'],
    tracking_code: shipment.tracking_code,
    refund_status: shipment.refund_status,
    batch_id: shipment.batch_id,
    batch_status: shipment.batch_status,
    batch_message: shipment.batch_message,
    insurance: shipment.insurance,
    selected_rate: isSold ? { carrier: shipment.carrier, rate: '8.20' } : null,
    postage_label: isSold
      ? {
          label_url: fileOf(url, shipment, ending),
          label_file_type: type,
          label_size: '4x6',
          label_resolution: 300,
          label_pdf_url: null,
        }
      : null,
  }
}

const fileOf = (url: string, { id }: Shipment, ending: string) => `${url}/labels/${id}.${ending}`
