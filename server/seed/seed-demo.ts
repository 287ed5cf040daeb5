import type { Logger } from 'pino'
import { createMerchant, createUser, setOnboarded } from '#merchants/public.ts'
import { emailKey } from '#sign-in/public.ts'
import type { Database } from '#platform/db/database.ts'
import type { App } from '../src/app.ts'
import { demoMerchants, demoStaff } from './demo-people.ts'

export interface SeedDeps {
  readonly app: App
  readonly log: Logger
  readonly say: (line: string) => void
}

/**
 * Makes the demo by the product's own commands and calls, once. A start that was cut off in the middle is taken up
 * by the next one: every step either finds itself done or names the Idempotency-Key it named before.
 */
export async function seedDemo({ app: { db }, say }: SeedDeps): Promise<void> {
  const state = await beginOnce(db)
  if (state === undefined) return
  say('Making the demo…')
  await createPeople(db)
}

interface DemoState {
  readonly begunAt: Date
}

/** Undefined when there is nothing to do: the demo is made, or the database holds somebody's own merchants. */
async function beginOnce(db: Database): Promise<DemoState | undefined> {
  await db.systemQuery(
    `insert into demo_state (only_row) select true where not exists (select from merchants)
     on conflict (only_row) do nothing`,
  )
  const [state] = await db.systemQuery<{ begun_at: Date; finished_at: Date | null }>(
    'select begun_at, finished_at from demo_state',
  )
  return state === undefined || state.finished_at !== null ? undefined : { begunAt: state.begun_at }
}

async function createPeople(db: Database): Promise<void> {
  for (const merchant of demoMerchants) {
    const known = await db.systemQuery('select 1 from merchants where merchant_id = $1', [merchant.key])
    if (known.length === 0) await createMerchant(db, merchant)
    await setOnboarded(db, { merchantKey: merchant.key, isOnboarded: true })
  }
  for (const user of demoStaff) {
    const known = await db.systemQuery('select 1 from users where email_key = $1', [emailKey(user.email)])
    if (known.length === 0) await createUser(db, user)
  }
}
