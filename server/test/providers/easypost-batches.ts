import { randomBytes } from 'node:crypto'
import type { LoopbackAnswer } from '../processes/loopback.ts'

export interface Shipment {
  id: string
  carrier: string
  rates: { id: string; rate: string }[]
  tracking_code: string | null
  refund_status: string | null
  insurance: string | null
  request: Record<string, unknown>
  batch_id: string | null
  batch_status: string | null
  batch_message: string | null
}

interface Batch {
  id: string
  reference: unknown
  shipments: Shipment[]
  state: string
  created_at: string
}

export interface EasyPostBatches {
  readonly all: Map<string, Batch>
  /** Why a batch cannot buy a shipment; undefined if it can. */
  refusal: (reference: string) => string | undefined
  /** While set, bought batches stay under way until `deliver`. */
  isSlow: boolean
  /** Delivers at most so many of each batch, which then stays under way. */
  deliver(most?: number): void
  answer(at: { id: string; verb: string }, asked: Record<string, unknown>): LoopbackAnswer
}

/** EasyPost's batches are made, then bought; each takes a while after the request. */
export function easyPostBatches(
  shipments: ReadonlyMap<string, Shipment>,
  nextCode: () => string,
): EasyPostBatches {
  const all = new Map<string, Batch>()
  const control: EasyPostBatches = {
    all,
    refusal: () => undefined,
    isSlow: false,
    deliver: (most = Number.POSITIVE_INFINITY) =>
      all.forEach((batch) => batch.state === 'purchasing' && buyAll(batch, most)),
    answer,
  }

  function answer(
    { id, verb }: { id: string; verb: string },
    asked: Record<string, unknown>,
  ): LoopbackAnswer {
    if (id === '') {
      const ids = (asked['shipments'] ?? []) as { id: string }[]
      const batch: Batch = {
        id: `batch_${randomBytes(8).toString('hex')}`,
        reference: asked['reference'],
        shipments: ids.flatMap((each) => shipments.get(each.id) ?? []),
        state: 'creating',
        created_at: new Date().toISOString(),
      }
      for (const shipment of batch.shipments) shipment.batch_id = batch.id
      all.set(batch.id, batch)
      return { status: 201, json: wire(batch) }
    }
    const batch = all.get(id)
    if (batch === undefined) return refusal(404, { code: 'NOT_FOUND', message: 'No such batch.' })
    if (verb === 'buy') {
      batch.state = 'purchasing'
      for (const shipment of batch.shipments) shipment.batch_status = 'queued_for_purchase'
    } else if (batch.state === 'creating') batch.state = 'created'
    else if (batch.state === 'purchasing' && !control.isSlow) buyAll(batch)
    return { json: wire(batch) }
  }

  function buyAll(batch: Batch, most = Number.POSITIVE_INFINITY): void {
    for (const shipment of batch.shipments.slice(0, most)) {
      if (shipment.tracking_code !== null) continue
      const message = control.refusal(String(shipment.request['reference']))
      shipment.batch_status = message === undefined ? 'postage_purchased' : 'postage_purchase_failed'
      shipment.batch_message = message ?? null
      if (message === undefined) shipment.tracking_code = nextCode()
    }
    if (most >= batch.shipments.length) batch.state = 'purchased'
  }

  function wire({ shipments: own, ...batch }: Batch) {
    const listed = own.map(({ id, batch_status, batch_message }) => ({ id, batch_status, batch_message }))
    return { ...batch, object: 'Batch', num_shipments: own.length, shipments: listed }
  }

  return control
}

export function refusal(
  status: number,
  error: { code: string; message: unknown; errors?: unknown[] },
): LoopbackAnswer {
  return { status, json: { error: { errors: [], ...error } }, headers: { 'x-ep-request-uuid': 'ep-1' } }
}
