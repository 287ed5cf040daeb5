import { createHmac } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { Config } from '#platform/config.ts'
import type { Database } from '#platform/db/database.ts'
import type { Http } from '#platform/http/server.ts'
import { merchantSecretsPurpose } from '#platform/outside/merchant-secrets.ts'
import type { HealthRecord } from '#platform/outside/health.ts'
import { createSealer } from '#platform/sealed-text.ts'
import { startWorkers } from '#platform/jobs/queue.ts'
import { createSideProcess } from '#platform/side-process/side-process.ts'
import type { BatchDesk } from '#documents/public.ts'
import { createEasyPost } from './providers/easypost/easypost.ts'
import { createLabelLinks } from './labels/label-links.ts'
import { createLabelsJob, labelsJob } from './labels/labels-job.ts'
import { serveShipping } from './routes.ts'
import { startParcelClock } from './providers/sandbox/parcel-clock.ts'
import { createSandboxCarrier } from './providers/sandbox/sandbox-carrier.ts'
import { startLabelSettler } from './labels/settle-labels.ts'
import { createLabelPress, type LabelPress } from './port/label-tasks.ts'
import type { ShippingProvider } from './port/shipping-port.ts'
import { labelSettings } from './settings.ts'

const program = new URL('./port/label-program.ts', import.meta.url)
const mergeMs = 120_000
/** With the wait for a turn less than a browser waits for its answer. */
const counterMs = 30_000

interface StartDeps {
  readonly http: Http
  readonly config: Config
  readonly db: Database
  readonly health: HealthRecord
  readonly publicUrl: (request: FastifyRequest) => string
  readonly mailBase: () => string | undefined
  readonly batches: BatchDesk
  readonly onChange: () => void
  readonly onError: (error: unknown) => void
}

/** The key with which the sandbox signs its messages to us; only this server can know it. */
function sandboxSecret(config: Config): string {
  return createHmac('sha256', config.sealingKeys[0]).update('sandbox carrier').digest('hex')
}

/** EasyPost if its key is set; otherwise the sandbox in the demo, and none elsewhere. */
export function chooseShippingProvider(
  config: Config,
  db: Database,
  { health, press }: { readonly health: HealthRecord; readonly press?: LabelPress },
): ShippingProvider | undefined {
  const { easyPost } = labelSettings.read(config.env)
  if (easyPost !== undefined)
    return createEasyPost({ ...easyPost, health, placeOnLetter: press?.placeOnLetter })
  return config.isDemo ? createSandboxCarrier(db, sandboxSecret(config)) : undefined
}

/** The slice's calls, and its background work. */
export function startShipping(deps: StartDeps) {
  const { http, config, db, health, batches, publicUrl, mailBase, onChange, onError } = deps
  // A clerk who prints an order's labels waits for no batch and for no request.
  const counter = createSideProcess(program, { waitMs: counterMs, clock: db.clock })
  const press = createLabelPress(counter, db)
  const provider = chooseShippingProvider(config, db, { health, press })
  const settler = startLabelSettler({ db, provider, onChange, onError })
  const onUnsettled = () => settler.wake()
  const merger = createSideProcess(program, { waitMs: mergeMs, clock: db.clock, lulls: http.lulls })
  const workers = startWorkers({
    db,
    kinds: {
      [labelsJob]: createLabelsJob({ db, provider, batches, merger, onUnsettled, onChange, onError }),
    },
    onError,
  })
  serveShipping(http, {
    db,
    provider,
    press,
    sealer: createSealer(config.sealingKeys, merchantSecretsPurpose),
    links: createLabelLinks(config.sealingKeys[0], db.clock),
    publicUrl,
    mailBase,
    onChange,
    onUnsettled,
    onError,
    onBatch: () => workers.wake(),
  })
  const clock = config.isDemo
    ? startParcelClock({
        db,
        webhookSecret: sandboxSecret(config),
        stepSeconds: labelSettings.read(config.env).sandboxStepSeconds,
        post: (signature, body) =>
          http.askSelf('/providers/v1/shipping/events', { 'x-hmac-signature': signature }, body),
        onError,
      })
    : undefined
  return {
    /** Call it before the server closes, because the clock sends calls to it. */
    async stop(): Promise<void> {
      await clock?.stop()
      const stopped = workers.stop()
      await merger.stop()
      await stopped
      await settler.stop()
    },
    /** Stops once every request has its file. */
    counter,
  }
}
