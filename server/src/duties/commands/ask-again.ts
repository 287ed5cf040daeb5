import { isOpen } from '#platform/db/closed-merchant.ts'
import type { Database } from '#platform/db/database.ts'
import { enqueueJob } from '#platform/jobs/queue.ts'
import { checkDuties } from './decide-duty.ts'

const shopsAtOnce = 200

interface DueShop {
  readonly merchant_id: string
  readonly today: string
  readonly state: string
}

/**
 * Orders a check of the open orders of every shop that time or a release has brought another answer: a rule's validity
 * begins or has ended, its reading grows older than a year, the shop has moved, or the rules are those of a new release.
 * Returns the number of shops.
 */
export async function askAgain(db: Database, isStopping: () => boolean = () => false): Promise<number> {
  let asked = 0
  for (let found = shopsAtOnce; found === shopsAtOnce && !isStopping();) {
    const due = await findDueShops(db)
    for (const shop of due) if (await askShop(db, shop)) asked++
    found = due.length
  }
  return asked
}

async function findDueShops(db: Database): Promise<DueShop[]> {
  return db.systemQuery<DueShop>(
    `with shops as (
       select merchant_id, address ->> 'state' as state, (now() at time zone timezone)::date as today from merchants
     )
     select s.merchant_id, s.today::text, s.state
     from shops s left join duty_checks c using (merchant_id)
     where ${isOpen('s.merchant_id')} and (c.merchant_id is null or c.shop_state is distinct from s.state or exists (
       select from duty_rules r,
         unnest(array[r.valid_from, r.valid_to + 1, (r.read_on + interval '1 year')::date + 1]) turn (day)
       where turn.day > c.asked_on and turn.day <= s.today
     ))
     order by s.merchant_id limit ${shopsAtOnce}`,
  )
}

/** False where another process was first. */
async function askShop(db: Database, { merchant_id: merchantId, today, state }: DueShop): Promise<boolean> {
  return db.write(merchantId, async (statements) => {
    const written = await statements.query(
      `insert into duty_checks as c (merchant_id, asked_on, shop_state) values ($1, $2, $3)
       on conflict (merchant_id) do update set asked_on = excluded.asked_on, shop_state = excluded.shop_state
       where (c.asked_on, c.shop_state) is distinct from (excluded.asked_on, excluded.shop_state)
       returning 1`,
      [merchantId, today, state],
    )
    if (written.length === 0) return false
    await enqueueJob(statements, { merchantId, kind: checkDuties, payload: {} })
    return true
  })
}
