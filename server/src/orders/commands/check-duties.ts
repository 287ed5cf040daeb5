import { isAskedAgain } from '@cellarhand/contract/needs-look'
import { askWithNextSweep, getDutyBook } from '#duties/public.ts'
import type { Database, Statements } from '#platform/db/database.ts'
import type { HeldJob, JobKind } from '#platform/jobs/queue.ts'
import { answerFor, carriedDuties } from '../document/order-duties.ts'
import { lockOrders } from '../document/lock-order.ts'
import { writeChanges, type LockedChange } from '../document/move-order.ts'
import type { Actor } from '../document/write-order.ts'

const ordersAtOnce = 50
const desk: Actor = { kind: 'system', id: null, name: 'Cellarhand' }

/** After a shop's rules have changed: asks its open orders again, and writes the orders whose answer is another one. */
export function createDutyCheck(db: Database, onChange: () => void): JobKind {
  // A merchant's own role deletes no job.
  const finish = (job: HeldJob) => db.system((statements) => job.finish(statements))
  return {
    async run(job) {
      const { merchantId } = job
      // By the index of the tabs: a shop has many more orders that are over.
      const open = await db.read(merchantId, ({ query }) =>
        query<{ order_id: string }>(
          "select order_id from orders where merchant_id = $1 and tab in ('active', 'on_hold') order by order_id",
          [merchantId],
        ),
      )
      for (let from = 0; from < open.length; from += ordersAtOnce) {
        job.signal.throwIfAborted()
        const ids = open.slice(from, from + ordersAtOnce).map((row) => row.order_id)
        await db.write(merchantId, async (statements) => {
          await job.advance(statements)
          await writeChanges(statements, merchantId, await changesOf(statements, merchantId, ids))
        })
        onChange()
      }
      await finish(job)
    },
    // Otherwise the orders would keep the answers of before until the rules change once more.
    giveUp: (job) =>
      db.system(async (statements) => {
        await job.finish(statements)
        await askWithNextSweep(statements, job.merchantId)
      }),
  }
}

async function changesOf(
  statements: Statements,
  merchantId: string,
  ids: readonly string[],
): Promise<LockedChange[]> {
  const locked = await lockOrders(statements, merchantId, ids)
  const book = await getDutyBook(statements, merchantId)
  return [...locked.values()].flatMap((each) => {
    const { order } = each
    // It may have ended since it was listed.
    if (!isAskedAgain(order)) return []
    const answer = answerFor(order, { book, nowMs: statements.clock.nowMs() })
    const duties = carriedDuties(answer, order.duties)
    if (duties === undefined || JSON.stringify(duties) === JSON.stringify(order.duties)) return []
    const details = { block: duties.block.map(({ rule }) => rule), must: duties.must.map(({ rule }) => rule) }
    return [{ locked: each, change: { action: 'check_duties', actor: desk, patch: { duties }, details } }]
  })
}
