import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { demoCalls } from '@cellarhand/contract/endpoints'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import { startBilling } from './billing/public.ts'
import { paymentSettings } from './billing/settings.ts'
import { startContent } from './content/routes.ts'
import { serveDemo } from './demo/routes.ts'
import { serveDelivery } from './delivery/routes.ts'
import { openDeliveryServices } from './delivery/services.ts'
import { askAgain, checkDuties, loadShippedRules } from './duties/public.ts'
import { serveDuties } from './duties/routes.ts'
import { serveDevelopers } from './developers/routes.ts'
import { startDocuments } from './documents/start-documents.ts'
import { openErrorReports, startInsights } from './insights/public.ts'
import { insightSettings } from './insights/settings.ts'
import { serveInventory } from './inventory/routes.ts'
import { serveMail } from './mail/routes.ts'
import { startWebhookDelivery } from './marketplace/deliver-webhooks.ts'
import { webhooksPurpose } from './marketplace/public.ts'
import { serveMarketplace } from './marketplace/routes.ts'
import { serveMerchants } from './merchants/routes.ts'
import { alarmState } from './orders/live/alarms.ts'
import { startDueAlarms } from './orders/live/due-alarms.ts'
import { createEventStreams } from './orders/live/event-stream.ts'
import { noteState } from './notes/public.ts'
import { serveNotes } from './notes/routes.ts'
import { countState } from './orders/list/order-counts.ts'
import { createOrderList } from './orders/list/order-page.ts'
import { queueState } from './orders/list/order-queue.ts'
import { createPresence } from './orders/live/presence.ts'
import { checkFieldsPurpose, closeShippedOrders, createDutyCheck } from './orders/public.ts'
import { serveOrders } from './orders/routes.ts'
import { outsideServicesOf } from './outside-services.ts'
import type { Clock } from './platform/clock/clock.ts'
import type { Config } from './platform/config.ts'
import { findMoved } from './platform/db/closed-merchant.ts'
import { openDatabase, type Database, type DatabaseAddress } from './platform/db/database.ts'
import { readOnStandbys } from './platform/db/reads-on-standbys.ts'
import { startFeed } from './platform/events/feed.ts'
import { startListening } from './platform/events/listening.ts'
import { outboxChannel, startPublisher } from './platform/events/publisher.ts'
import { createSignals, signalChannel } from './platform/events/signals.ts'
import { addCompression } from './platform/http/compression.ts'
import { serveDashboard } from './platform/http/dashboard-files.ts'
import { answerNotFound } from './platform/http/errors.ts'
import { refuse } from './platform/http/refuse.ts'
import { addSecurityHeaders } from './platform/http/security-headers.ts'
import { createHttp, type Http } from './platform/http/server.ts'
import { startHourly } from './platform/jobs/hourly.ts'
import { startWorkers } from './platform/jobs/queue.ts'
import { createSmtpMailer, keepInOutbox, type Mailer } from './platform/mail/mailer.ts'
import { mailsPurpose, startMailSender } from './platform/mail/outgoing.ts'
import { createHealthRecord, type HealthRecord } from './platform/outside/health.ts'
import { createSealer } from './platform/sealed-text.ts'
import { canEndWithServer } from './platform/side-process/ends-with-server.ts'
import { createLulls, type Lulls } from './platform/turns/lulls.ts'
import { cleanUp } from './platform/upkeep/clean-up.ts'
import { keepParts } from './platform/upkeep/keep-parts.ts'
import { startRecords } from './records/start-records.ts'
import { startShipping } from './shipping/public.ts'
import { labelSettings } from './shipping/settings.ts'
import { createAuthenticate, createTokens, findEndedSessions, twoStepPurpose } from './sign-in/public.ts'
import { serveSignIn } from './sign-in/routes.ts'
import { startSubstitutes } from './substitutes/public.ts'
import { notePicks } from './picks/public.ts'
import { servePicks } from './picks/routes.ts'
import { serveTeam } from './team/routes.ts'
import { serveToday } from './today/routes.ts'
import { serveViews } from './views/routes.ts'
import { upkeep } from './upkeep.ts'
import { pushDueOrders, startWatch } from './watch/public.ts'

export interface AppDeps {
  readonly clock: Clock
  readonly config: Config
  readonly database: DatabaseAddress
  readonly log: Logger
}

export interface App {
  readonly http: FastifyInstance
  readonly db: Database
  /** Calls of the contract that still answer 501. */
  readonly unserved: readonly string[]
  /** Announces the stop at /readyz and keeps serving. */
  leave(): void
  /** Finishes the work under way, then closes the database. */
  close(): Promise<void>
}

/** Undefined outside the demo without a mail server: mails then wait for one. */
function chooseMailer({ smtp, isDemo }: Config, health: HealthRecord): Mailer | undefined {
  if (smtp !== undefined) return createSmtpMailer(smtp, health)
  return isDemo ? keepInOutbox : undefined
}

/** Of the demo, which listens on this machine alone. A request's Host header can name any server. */
function ownAddress({ server }: FastifyInstance): string | undefined {
  const at = server.address()
  if (at === null || typeof at === 'string') return undefined
  return `http://${at.family === 'IPv6' ? `[${at.address}]` : at.address}:${at.port}`
}

/** What the page may know of this server; anybody can read it. */
async function pageSettings(config: Config, published: () => Promise<string>) {
  const { sentryDsn, release, segment } = insightSettings.read(config.env)
  const { partnerUrl } = labelSettings.read(config.env)
  const { showsLegacyForm } = paymentSettings.read(config.env)
  return {
    app_credential: config.applicationCredential,
    product_name: config.productName,
    api_base: config.elsewhere.api ?? '',
    payments_base: config.elsewhere.payments ?? '',
    content_base: config.elsewhere.content ?? '',
    dev_docs_url: config.elsewhere.apiDocumentation ?? '',
    support_email: config.supportEmail,
    carrier_partner_url: partnerUrl ?? (config.isDemo ? 'https://example.com/group-rates' : ''),
    show_legacy_billing: showsLegacyForm ? '1' : '',
    sentry_dsn: sentryDsn,
    release,
    forwards_events: segment === undefined ? '' : '1',
    published: await published(),
  }
}

interface DutyDeps {
  readonly db: Database
  readonly onChange: () => void
  readonly onError: (error: unknown) => void
}

/** The rules of this release, and the work after a shop's decision about one. */
async function startDuties(http: Http, { db, onChange, onError }: DutyDeps) {
  await loadShippedRules(db).catch(onError)
  const kinds = { [checkDuties]: createDutyCheck(db, onChange) }
  const checks = startWorkers({ db, kinds, onError })
  serveDuties(http, { db, onDecision: () => checks.wake() })
  return checks
}

/** Without a built dashboard the calls are served all the same. */
async function serveBuiltDashboard(
  { app }: Http,
  config: Config,
  published: ReturnType<typeof startContent>,
): Promise<void> {
  if (!existsSync(join(config.webRoot, 'index.html'))) return void app.setNotFoundHandler(answerNotFound)
  await serveDashboard(app, { root: config.webRoot, config: () => pageSettings(config, published) })
}

function openDatabases(
  { clock, config, database, log }: AppDeps,
  onIdleError: (error: unknown) => void,
): Database {
  const primary = openDatabase(database, { clock, onIdleError })
  if (config.readUrls.length === 0) return primary
  return readOnStandbys(primary, {
    clock,
    urls: config.readUrls,
    onTurn(standby, reason) {
      if (reason === undefined) log.info({ standby }, 'a standby answers reads')
      else log.warn({ standby, reason }, 'a standby is out of use, others answer its reads')
    },
  })
}

/** None where a process that is stopped in them would outlive the server. */
async function openLulls(clock: Clock, log: Logger): Promise<Lulls | undefined> {
  if (await canEndWithServer()) return createLulls(clock)
  log.info('papers are drawn beside requests, for want of setpriv (util-linux 2.33)')
  return undefined
}

type HourlyWork = (isStopping: () => boolean) => Promise<unknown>

/** The hourly work of the slices, and what belongs to none of them. */
function hourlyWorks(
  { db, database }: { readonly db: Database; readonly database: DatabaseAddress },
  wake: { readonly publisher: () => void; readonly dutyChecks: () => void },
  ofSlices: readonly HourlyWork[],
): HourlyWork[] {
  return [
    async (isStopping: () => boolean) => {
      if ((await closeShippedOrders(db, isStopping)) > 0) wake.publisher()
    },
    async (isStopping: () => boolean) => {
      if ((await notePicks(db, isStopping)) > 0) wake.publisher()
    },
    async (isStopping: () => boolean) => {
      if ((await askAgain(db, isStopping)) > 0) wake.dutyChecks()
    },
    (isStopping: () => boolean) => cleanUp(db, upkeep, isStopping),
    (isStopping: () => boolean) => keepParts(database, upkeep, isStopping),
    ...ofSlices,
  ]
}

async function stopInTurn(parts: readonly { readonly stop: () => Promise<void> | void }[]): Promise<void> {
  for (const part of parts) await part.stop()
}

/** The complete list of the server's parts. */
export async function buildApp({ clock, config, database, log }: AppDeps): Promise<App> {
  const logError = (err: unknown) => log.error({ err }, 'background work failed')
  const onError = (error: unknown) => {
    logError(error)
    errorReports.capture(error)
  }
  const db = openDatabases({ clock, config, database, log }, onError)
  // The error report uses that record too, so a failure of the record itself is not reported.
  const health = createHealthRecord(db, logError)
  const errorReports = await openErrorReports(insightSettings.read(config.env), health)
  const publisher = startPublisher(db, onError)
  const listening = startListening(database, [outboxChannel, signalChannel], { clock, onError })
  const feed = await startFeed(db, listening, onError)
  const signals = createSignals(db, listening, onError)
  const presence = createPresence(db, (merchantId) => signals.send('presence', merchantId), onError)
  const list = createOrderList(db)
  const streams = createEventStreams({
    clock,
    feed,
    states: [countState(list.counts), queueState(list), alarmState(db), presence.state, noteState(db)],
    findEndedSessions: (owners) => findEndedSessions(db, owners),
    findMoved: (merchantIds) => findMoved(db, merchantIds),
    onError,
  })
  signals.on((topic, merchantId) => streams.refresh(topic, merchantId))
  listening.onConnect(() => streams.refreshAll())
  const mailSealer = createSealer(config.sealingKeys, mailsPurpose)
  const stationery = { product: config.productName, seal: mailSealer.seal }
  const mailer = chooseMailer(config, health)
  const mailSender = startMailSender({ db, mailer, open: mailSealer.open, onError })
  const tokens = createTokens(config.sessionSecret, clock)
  const signIn = { db, tokens, ...createSealer(config.sealingKeys, twoStepPurpose) }
  const webhooks = { allowLoopback: config.isDemo, ...createSealer(config.sealingKeys, webhooksPurpose) }
  const deliveries = startWebhookDelivery({
    db,
    webhooks,
    onGivenUp: (event) => log.error({ event }, 'an event was given up: the marketplace did not take it'),
    onError,
  })
  feed.subscribe(() => deliveries.wake())
  const sweep = startHourly(
    clock,
    hourlyWorks({ db, database }, { publisher: publisher.wake, dutyChecks: () => dutyChecks.wake() }, [
      (isStopping) => documents.sweep(isStopping),
      (isStopping) => records.sweepFiles(isStopping),
      (isStopping) => records.purge(isStopping),
    ]),
    onError,
  )

  const http = createHttp({
    clock,
    lulls: await openLulls(clock, log),
    logger: log,
    trustProxy: config.trustProxy,
    productName: config.productName,
    applicationCredential: config.applicationCredential,
    marketplaceCredential: config.marketplaceCredential,
    onUnexpectedError: errorReports.capture,
    authenticate: createAuthenticate(signIn),
  })
  await addCompression(http.app)
  addSecurityHeaders(http.app, config)
  const publicUrl = (request: FastifyRequest) => config.publicUrl ?? `${request.protocol}://${request.host}`
  const mailBase = () => config.publicUrl ?? (config.isDemo ? ownAddress(http.app) : undefined)
  const mailUrl = () => mailBase() ?? refuse('public_url_missing')
  const onChange = () => publisher.wake()
  const onNoticed = (merchantId: string) => signals.send('alarms', merchantId)
  const dueAlarms = startDueAlarms({ db, onRaise: onNoticed, alsoTell: pushDueOrders, onError })
  const onMail = () => mailSender.wake()
  const delivery = openDeliveryServices({ config, db, health, askSelf: http.askSelf, onChange, onError })
  feed.subscribe(() => delivery.courierWorker.wake())

  serveSignIn(http, { ...signIn, stationery, publicUrl, mailUrl, onMail })
  serveTeam(http, { db, stationery, mailUrl, onMail })
  serveMail(http, { db, webhookCredential: config.mailWebhookCredential })
  serveMerchants(http, { db, services: outsideServicesOf(config, db, health) })
  const basics = { http, config, db, health, publicUrl, mailBase }
  startBilling(basics)
  const checkFields = createSealer(config.sealingKeys, checkFieldsPurpose)
  const mail = { stationery, mailBase, onMail }
  serveOrders(http, { db, list, streams, presence, publicUrl, checkFields, mail, onChange, onNoticed })
  serveToday(http, db)
  serveViews(http, db)
  serveNotes(http, { db, onChange: (merchantId) => signals.send('notes', merchantId) })
  servePicks(http, { db, onChange })
  serveDelivery(http, { db, ...delivery, isDemo: config.isDemo, onChange })
  const telling = { ...basics, ...mail, texts: delivery.texts, mailUrl, onChange, onError }
  const watch = startWatch({ ...telling, log })
  const substitutes = startSubstitutes(telling)
  const dutyChecks = await startDuties(http, { db, onChange, onError })
  const documents = startDocuments({ ...basics, stationery, onChange, onMail, onError })
  const records = startRecords({ http, db, documents, log, publicUrl, upkeep, checkFields, onError })
  const shipping = startShipping({ ...basics, batches: documents.batches, onChange, onError })
  serveMarketplace(http, { db, onChange, webhooks })
  serveInventory(http, { db, publicUrl })
  const published = startContent(basics)
  let isLeaving = false
  const saving = { clock, database, files: documents.batches.files, log }
  const insights = startInsights({ ...basics, ...saving, errorReports, isLeaving: () => isLeaving })
  serveDevelopers(http, { product: config.productName, webRoot: config.webRoot, publicUrl })
  if (config.isDemo) serveDemo(http, { db, product: config.productName, open: mailSealer.open })
  const unserved = http.serveRest(config.isDemo ? [] : demoCalls)

  await serveBuiltDashboard(http, config, published)
  await http.complete()

  return {
    http: http.app,
    db,
    unserved,
    leave: () => void (isLeaving = true),
    async close() {
      streams.stop()
      await stopInTurn([watch, substitutes, shipping, delivery, dutyChecks, records, documents])
      await http.app.close()
      await stopInTurn([documents.counter, shipping.counter, sweep, dueAlarms, publisher])
      await stopInTurn([mailSender, deliveries, feed, presence, signals, listening])
      await insights.close()
      await health.settled()
      await db.close()
    },
  }
}
