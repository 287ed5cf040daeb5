import type { Api, Whole } from '@cellarhand/contract/api'
import { expect } from 'vitest'
import type { DeskCalls, Shop } from './desk.ts'
import { eventually } from './eventually.ts'

export type LabelBatch = Whole<Api['GET /m/v2/merchant/{tmk}/orders/bulk/{batch_id}']['reply']>

/** A clerk who presses "Labels" on a selection and waits until the batch has ended. */
export function labelBatches(desk: DeskCalls, shop: Shop, wait = eventually) {
  const start = (items: readonly string[], key?: string) =>
    desk.call('POST /m/v2/merchant/{tmk}/orders/bulk/labels', {
      as: shop.member,
      params: { tmk: shop.key },
      body: { items: [...items] },
      ...(key === undefined ? {} : { headers: { 'idempotency-key': key } }),
    })
  async function read(batch_id: string): Promise<LabelBatch> {
    const params = { tmk: shop.key, batch_id }
    const line = 'GET /m/v2/merchant/{tmk}/orders/bulk/{batch_id}'
    return (await desk.call(line, { as: shop.member, params })).body
  }
  async function untilEnded(batch_id: string): Promise<LabelBatch> {
    return wait(async () => {
      const body = await read(batch_id)
      expect(body.completed_count + body.error_count).toBe(body.total_count)
      return body
    })
  }
  return {
    start,
    read,
    untilEnded,
    buy: async (items: readonly string[]) => untilEnded((await start(items)).body.batch_id),
  }
}

export function reasonsIn({ failed }: LabelBatch): Record<string, string> {
  return Object.fromEntries(failed.map(({ id, message }) => [id, message]))
}
