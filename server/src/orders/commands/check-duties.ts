import { getDutyBook } from '#duties/public.ts'
import type { Database, Statements } from '#platform/db/database.ts'
import type { HeldJob, JobKind } from '#platform/jobs/queue.ts'
import { answerFor, carriedDuties } from '../document/order-duties.ts'
import { lockOrders, writeChanges, type LockedChange } from '../document/move-order.ts'
import type { Actor } from '../document/write-order.ts'

const ordersAtOnce = 50
const desk: Actor = { kind: 'system', id: null, name: 'Cellarhand' }

/** After a shop's rules have changed: asks its open orders again, and writes the orders whose answer is another one. */
export function createDutyCheck(db: Database, onChange: () => void): JobKind {
  return {
    async run(job) {
      let after = ''
      for (;;) {
        const last = await checkSome(db, job, after)
        onChange()
        if (last === undefined) break
        after = last
      }
      await db.write(job.merchantId, (statements) => job.finish(statements))
    },
    giveUp: (job) => db.write(job.merchantId, (statements) => job.finish(statements)),
  }
}

/** The last of them; undefined when there are no more. */
async function checkSome(db: Database, job: HeldJob, after: string): Promise<string | undefined> {
  return db.write(job.merchantId, async (statements) => {
    await job.advance(statements)
    const rows = await statements.query<{ order_id: string }>(
      `select order_id from orders where merchant_id = $1 and tab in ('active', 'on_hold') and order_id > $2
       order by order_id limit ${ordersAtOnce}`,
      [job.merchantId, after],
    )
    const ids = rows.map((row) => row.order_id)
    await writeChanges(statements, job.merchantId, await changesOf(statements, job.merchantId, ids))
    return ids.at(-1)
  })
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
    const answer = answerFor(order, { book, nowMs: statements.clock.nowMs() })
    const duties = carriedDuties(answer, order.duties)
    if (duties === undefined || JSON.stringify(duties) === JSON.stringify(order.duties)) return []
    const details = { block: duties.block.map(({ rule }) => rule), must: duties.must.map(({ rule }) => rule) }
    return [{ locked: each, change: { action: 'check_duties', actor: desk, patch: { duties }, details } }]
  })
}
