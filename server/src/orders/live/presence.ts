import type { Presence as Present } from '@cellarhand/contract/live'
import type { Database } from '#platform/db/database.ts'
import type { Staff } from '#platform/http/caller.ts'
import { refuse } from '#platform/http/refuse.ts'
import type { LiveState } from './state-looks.ts'

/** A screen that says nothing for this long counts as gone, for example after a crash of its browser. */
const leaseSeconds = 6
export const renewWithinMs = 2_500
export const gatherMs = 500
const shownAtMost = 200
/** Of one person: more pages than anybody has open. */
const screensAtMost = 50

type Whereabouts = Pick<Present, 'screen' | 'activity'> & { readonly order_id: string | null }

export interface PresenceDesk {
  readonly state: LiveState
  report(caller: Staff, whereabouts: Whereabouts): Promise<void>
  stop(): Promise<void>
}

interface Lease {
  readonly merchantId: string
  readonly userId: string
  readonly screen: string
  /** The last written value: the order and the activity. */
  readonly wrote: string
  saidAt: number
}

/**
 * Which person has which order open, over all processes. A change is written and signalled at once. Repeats of the same
 * state, which are the most frequent messages, are gathered into one statement.
 */
export function createPresence(
  db: Database,
  onChange: (merchantId: string) => void,
  onError: (error: unknown) => void,
): PresenceDesk {
  const leases = new Map<string, Lease>()
  const toRenew = new Map<string, Lease>()
  const { clock } = db
  const timer = clock.every(gatherMs, () => {
    forgetGone()
    void renew().catch(onError)
  })

  /** A browser that died does not take its leave. */
  function forgetGone(): void {
    const oldest = clock.nowMs() - leaseSeconds * 1000
    for (const [key, { saidAt }] of leases) if (saidAt < oldest) leases.delete(key)
  }

  async function renew(): Promise<void> {
    if (toRenew.size === 0) return
    const due = [...toRenew]
    toRenew.clear()
    const still = await db.systemQuery<{ place: number }>(
      `update order_presence p set expires_at = now() + interval '${leaseSeconds} s'
       from unnest($1::text[], $2::text[], $3::text[]) with ordinality as lease (merchant_id, user_id, screen, place)
       where p.merchant_id = lease.merchant_id and p.user_id = lease.user_id and p.screen = lease.screen
         and p.expires_at > now()
       returning lease.place::int`,
      [
        due.map(([, lease]) => lease.merchantId),
        due.map(([, lease]) => lease.userId),
        due.map(([, lease]) => lease.screen),
      ],
    )
    const places = new Set(still.map(({ place }) => place - 1))
    // A row that has vanished is written again at the next message.
    due.forEach(([key], index) => places.has(index) || leases.delete(key))
  }

  async function leave(key: string, lease: Pick<Lease, 'merchantId' | 'userId' | 'screen'>): Promise<void> {
    leases.delete(key)
    toRenew.delete(key)
    const gone = await db.write(lease.merchantId, ({ query }) =>
      query(
        'delete from order_presence where merchant_id = $1 and user_id = $2 and screen = $3 returning 1',
        [lease.merchantId, lease.userId, lease.screen],
      ),
    )
    if (gone.length > 0) onChange(lease.merchantId)
  }

  return {
    state: presenceState(db),
    async report(caller, { screen, order_id: orderId, activity }) {
      const { merchantId, userId } = caller
      const key = `${merchantId} ${userId} ${screen}`
      if (orderId === null) return leave(key, { merchantId, userId, screen })
      const lease = { merchantId, userId, screen, wrote: `${orderId} ${activity}`, saidAt: clock.nowMs() }
      const known = leases.get(key)
      if (known?.wrote === lease.wrote) {
        known.saidAt = lease.saidAt
        return void toRenew.set(key, lease)
      }
      const written = await db.write(merchantId, async ({ query }) => {
        const [others] = await query<{ screens: number }>(
          `select count(*)::int as screens from order_presence
           where merchant_id = $1 and user_id = $2 and screen <> $3 and expires_at > now()`,
          [merchantId, userId, screen],
        )
        if ((others?.screens ?? 0) >= screensAtMost) refuse('too_much_at_once')
        return query(
          `insert into order_presence (merchant_id, user_id, screen, order_id, name, activity, expires_at)
           select merchant_id, $2, $3, order_id, $5, $6, now() + interval '${leaseSeconds} s'
           from orders where merchant_id = $1 and order_id = $4
           on conflict (merchant_id, user_id, screen) do update
             set order_id = excluded.order_id, name = excluded.name, activity = excluded.activity, expires_at = excluded.expires_at
           returning 1`,
          [merchantId, userId, screen, orderId, caller.name, activity],
        )
      })
      if (written.length === 0) return refuse('not_found')
      leases.set(key, lease)
      onChange(merchantId)
    },
    async stop() {
      timer.stop()
      await renew().catch(onError)
    },
  }
}

function presenceState(db: Database): LiveState {
  return {
    name: 'presence',
    followsOrders: false,
    // Nobody signals the end of a lease.
    lookAgainMs: 1_000,
    async read(merchantIds) {
      const rows = await db.systemQuery<{ merchant_id: string; items: string }>(
        `select wanted.merchant_id, coalesce(json_agg(json_build_object(
             'order_id', p.order_id, 'user_id', p.user_id, 'name', p.name, 'screen', p.screen, 'activity', p.activity)
           order by p.order_id, p.name, p.screen) filter (where p.order_id is not null), '[]') as items
         from unnest($1::text[]) as wanted (merchant_id)
         left join lateral (
           select * from order_presence o where o.merchant_id = wanted.merchant_id and o.expires_at > now() limit ${shownAtMost}
         ) p on true
         group by wanted.merchant_id`,
        [merchantIds],
      )
      return new Map(rows.map((row) => [row.merchant_id, `{"items":${row.items}}`]))
    },
  }
}
