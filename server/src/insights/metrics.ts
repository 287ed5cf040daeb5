import { statfs } from 'node:fs/promises'
import type { FastifyInstance } from 'fastify'
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { Clock } from '#platform/clock/clock.ts'
import { isOpen } from '#platform/db/closed-merchant.ts'
import type { Database } from '#platform/db/database.ts'
import { asServer } from '#platform/turns/asker.ts'

export interface Metrics {
  readonly contentType: string
  countClientError(): void
  /** The Prometheus text; without the database's figures while the database is away. */
  render(): Promise<string>
}

/** Shorter than any usual interval of Prometheus. */
const keptMs = 5_000
const secondsBuckets = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** What a merchant that is moving or has moved leaves here is done in its new cell, and no alarm could ever end. */
const isOpenHere = isOpen('merchant_id')

/** Figures of the database, each with its query. No merchant, order or person is a label. */
const figures: Readonly<Record<string, { help: string; sql: string }>> = {
  cellarhand_events_unpublished: {
    help: 'Events that no publisher has numbered yet',
    sql: 'select count(*)::int as n from outbox where position is null',
  },
  cellarhand_webhooks_waiting: {
    help: 'Events that the marketplace has not taken yet',
    sql: `select count(*)::int as n from outbox where webhook_due_at is not null and webhook_done_at is null and ${isOpenHere}`,
  },
  cellarhand_webhooks_given_up: {
    help: 'Events of the last one to two weeks that the marketplace did not take in ten tries',
    sql: `select count(*)::int as n from outbox where webhook_done_at is not null and webhook_error is not null and ${isOpenHere}`,
  },
  cellarhand_mails_waiting: {
    help: 'Mails that have not left yet',
    sql: `select count(*)::int as n from outgoing_mails where sent_at is null and given_up_at is null and ${isOpenHere}`,
  },
  cellarhand_mails_given_up: {
    help: 'Mails of the last seven days that the mail server refused for good, or that were tried too often',
    sql: `select count(*)::int as n from outgoing_mails where given_up_at is not null and ${isOpenHere}`,
  },
  cellarhand_webhook_switched_off: {
    help: '1 while no event is sent, because the receiver answered that it is gone',
    sql: 'select count(*)::int as n from webhook_endpoint where disabled_at is not null',
  },
  cellarhand_jobs_late: {
    help: 'Purchases, prints and the like that were due a minute ago and are not done',
    sql: `select count(*)::int as n from jobs where due_at < now() - interval '1 minute' and ${isOpenHere}`,
  },
  cellarhand_last_backup_timestamp_seconds: {
    help: 'When the last backup by `admin backup` was finished; 0 if there was none',
    sql: 'select coalesce(max(extract(epoch from finished_at)), 0)::int as n from last_backup',
  },
  cellarhand_shops_unwatched: {
    help: 'Shops whose people were told that new orders wait, and that no screen has watched since',
    sql: `select count(*)::int as n from watches
      where is_on and greatest(duty_told_at, owner_told_at) > coalesce(watched_at, '-infinity') and ${isOpenHere}`,
  },
  cellarhand_sessions_open: {
    help: 'Sessions that have neither ended nor run out',
    sql: 'select count(*)::int as n from sessions where ended_at is null and expires_at > now()',
  },
}

export function createMetrics(app: FastifyInstance, db: Database, dataDir: string): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const durations = new Histogram({
    name: 'cellarhand_http_request_duration_seconds',
    help: 'Time from the request to the end of its answer, by call of the contract',
    labelNames: ['call', 'status'],
    buckets: secondsBuckets,
    registers: [registry],
  })
  const clientErrors = new Counter({
    name: 'cellarhand_client_errors_total',
    help: 'Failures that dashboards have reported',
    registers: [registry],
  })
  app.addHook('onResponse', async (request, reply) => {
    const endpoint = request.routeOptions.config.endpoint
    // An event stream lives for hours, and its duration means nothing.
    if (endpoint?.media === 'text/event-stream') return
    durations.observe(
      { call: endpoint?.call ?? 'other', status: String(reply.statusCode) },
      reply.elapsedTime / 1000,
    )
  })
  new Gauge({
    name: 'cellarhand_database_waits',
    help: 'Requests and work that wait for a connection to the database',
    registers: [registry],
    collect() {
      this.set(db.waiting())
    },
  })
  standbyFigures(registry, db)
  new Gauge({
    name: 'cellarhand_disk_free_bytes',
    help: 'Free space where the server keeps its files',
    registers: [registry],
    async collect() {
      const disk = await statfs(dataDir).catch(() => undefined)
      if (disk) this.set(disk.bavail * disk.bsize)
      else this.remove()
    },
  })
  const { up, refresh } = databaseGauges(registry, db)
  async function renderNow(): Promise<string> {
    try {
      await refresh()
      up.set(1)
    } catch {
      up.set(0)
    }
    return registry.metrics()
  }
  return {
    contentType: registry.contentType,
    countClientError: () => clientErrors.inc(),
    render: keptFor(db.clock, renderNow),
  }
}

/** All who ask while an answer is made, or soon after, get the same one: each counts rows of whole tables. */
function keptFor<T>(clock: Clock, make: () => Promise<T>): () => Promise<T> {
  let kept: Promise<T> | undefined
  const forget = () => void clock.after(keptMs, () => (kept = undefined))
  return async () => {
    if (kept === undefined) {
      kept = asServer(make)
      kept.then(forget, forget)
    }
    return kept
  }
}

/** Without READ_URLS they are empty. Standbys are counted from 1, in the order there. */
function standbyFigures(registry: Registry, db: Database): void {
  const registers = [registry]
  // The first one of them collects for all: the registry asks them in this order.
  new Counter({
    name: 'cellarhand_reads_total',
    help: 'Reads that a standby may answer, by the place that answered: the primary, or a standby',
    labelNames: ['place'],
    registers,
    collect() {
      this.reset()
      const places = db.readsByPlace?.()
      if (places === undefined) return
      const { primary, standbys } = places
      passedOver.reset()
      this.inc({ place: 'primary' }, primary)
      for (const [index, figures] of standbys.entries()) {
        const standby = String(index + 1)
        this.inc({ place: `standby ${standby}` }, figures.reads)
        for (const [reason, count] of Object.entries(figures.passedOver))
          passedOver.inc({ standby, reason }, count)
        inUse.set({ standby }, figures.isInUse ? 1 : 0)
        behind.set({ standby }, figures.behindBytes)
      }
    },
  })
  const passedOver = new Counter({
    name: 'cellarhand_standby_passed_over_total',
    help: 'Reads that another place answered: the standby was behind, away, or failed with the read',
    labelNames: ['standby', 'reason'],
    registers,
  })
  const inUse = new Gauge({
    name: 'cellarhand_standby_in_use',
    help: '1 while the standby answers reads',
    labelNames: ['standby'],
    registers,
  })
  const behind = new Gauge({
    name: 'cellarhand_standby_behind_bytes',
    help: 'Log that the standby had not replayed when it was last asked',
    labelNames: ['standby'],
    registers,
  })
}

function databaseGauges(registry: Registry, db: Database) {
  const up = new Gauge({
    name: 'cellarhand_database_up',
    help: '1 while the database answers',
    registers: [registry],
  })
  const gauges = Object.entries(figures).map(([name, { help, sql }]) => ({
    gauge: new Gauge({ name, help, registers: [registry] }),
    sql,
  }))
  const failures = new Gauge({
    name: 'cellarhand_provider_failures_in_a_row',
    help: 'How often an outside provider has failed since it last answered',
    labelNames: ['provider'],
    registers: [registry],
  })
  async function refresh(): Promise<void> {
    for (const { gauge, sql } of gauges) {
      const [row] = await db.systemQuery<{ n: number }>(sql)
      gauge.set(row?.n ?? 0)
    }
    const providers = await db.systemQuery<{ provider: string; failures_in_a_row: number }>(
      'select provider, failures_in_a_row from provider_health',
    )
    failures.reset()
    for (const { provider, failures_in_a_row } of providers) failures.set({ provider }, failures_in_a_row)
  }
  return { up, refresh }
}
