import { randomUUID } from 'node:crypto'
import type { Database } from '#platform/db/database.ts'
import { startWorker, type Worker } from '#platform/jobs/worker.ts'
import { signEvent } from '../../tracking/tracker-events.ts'

export interface ClockDeps {
  readonly db: Database
  readonly webhookSecret: string
  /** A parcel's time from one station to the next. */
  readonly stepSeconds: number
  /** Sends a signed message to our own webhook, as the real provider does; returns the status. */
  readonly post: (signature: string, body: string) => Promise<number>
  readonly onError: (error: unknown) => void
}

const stations = ['in_transit', 'out_for_delivery', 'delivered'] as const
const longestPollMs = 5_000

/** Moves the sandbox's parcels and calls back about each station. */
export function startParcelClock({ db, webhookSecret, stepSeconds, post, onError }: ClockDeps): Worker {
  async function tick(): Promise<void> {
    const due = await db.systemQuery<{ shipment: string; tracking_code: string; steps_reported: number }>(
      `update sandbox_parcels p set steps_reported = p.steps_reported + 1
       from (select shipment from sandbox_parcels
             where state = 'bought' and steps_reported < ${stations.length}
               and bought_at + make_interval(secs => (steps_reported + 1) * $1::float8) <= now()
             order by bought_at limit 50 for update skip locked) due
       where p.shipment = due.shipment returning p.shipment, p.tracking_code, p.steps_reported`,
      [stepSeconds],
    )
    for (const { shipment, tracking_code, steps_reported } of due) {
      const body = JSON.stringify({
        id: `evt_${randomUUID()}`,
        object: 'Event',
        description: 'tracker.updated',
        result: {
          object: 'Tracker',
          tracking_code,
          status: stations[steps_reported - 1],
          updated_at: new Date(db.clock.nowMs()).toISOString(),
        },
      })
      const status = await post(signEvent(webhookSecret, body), body)
      if (status === 200) continue
      await db.systemQuery(
        'update sandbox_parcels set steps_reported = steps_reported - 1 where shipment = $1',
        [shipment],
      )
    }
  }

  return startWorker({
    clock: db.clock,
    work: tick,
    everyMs: Math.min(longestPollMs, stepSeconds * 250),
    onError,
  })
}
