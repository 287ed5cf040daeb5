import { expect, vi } from 'vitest'
import type { DeskCalls, Shop } from '../desk.ts'
import { patienceMs } from '../eventually.ts'
import { labelBatches } from '../label-batches.ts'
import { orderIn } from '../order-steps.ts'

/** The checks after the server died in the middle of a batch of labels. */
export function killedBatches(desk: DeskCalls, shop: Shop) {
  const labels = labelBatches(desk, shop)
  return {
    ...labels,
    async accepted(count: number): Promise<string[]> {
      const ids: string[] = []
      while (ids.length < count)
        ids.push((await orderIn(desk, shop, { status: 'MERCHANT_ACCEPTED', order_weight: 4.5 })).id)
      return ids
    },
    /** Ends the dead process's leases, so that no test waits for them. */
    async endLeases(): Promise<void> {
      await desk.owner.query('update jobs set due_at = now()')
      await desk.owner.query(
        `update label_purchases set lease_until = now() where state in ('running', 'in_doubt', 'voiding')`,
      )
    },
    /** Makes the doubt old enough: a purchase that has not arrived by now never will. */
    async letDoubtAge(): Promise<void> {
      await desk.owner.query(
        `update shipping_labels set buying_since = buying_since - interval '10 minutes' where state = 'buying'`,
      )
      await desk.owner.query(`update label_purchases set lease_until = now() where state = 'in_doubt'`)
    },
    /** Until so many orders have their label and so many are in doubt; none may be reported as failed. */
    async untilDone(batchId: string, [done, doubtful]: readonly [number, number]): Promise<void> {
      const seen = async () => {
        const { completed_count, in_doubt, failed } = await labels.read(batchId)
        return [completed_count, in_doubt?.length, failed]
      }
      await vi.waitFor(async () => expect(await seen()).toEqual([done, doubtful, []]), {
        timeout: patienceMs,
        interval: 200,
      })
    },
    /** Every order has shipped with its own label, and the file holds all labels. */
    async expectAllShipped(ids: readonly string[], batchId: string): Promise<void> {
      const batch = await labels.untilEnded(batchId)
      expect([batch.failed, batch.in_doubt, batch.completed_count]).toEqual([[], [], ids.length])
      const { rows } = await desk.owner.query(
        `select status, count(*)::int as n, count(distinct document ->> 'tracking_id')::int as codes from orders
         where order_id = any($1) group by status`,
        [ids],
      )
      expect(rows).toEqual([{ status: 'MERCHANT_SHIPPED', n: ids.length, codes: ids.length }])
      const file = await fetch(batch.batch_pdf_urls.labels ?? 'missing:')
      if (!file.ok) throw new Error(`The file was refused: ${await file.text()}`)
      const { PDFDocument } = await import('@cantoo/pdf-lib')
      expect((await PDFDocument.load(await file.arrayBuffer())).getPageCount()).toBe(ids.length)
    },
  }
}
