import type { Config } from '#platform/config.ts'
import type { Database } from '#platform/db/database.ts'
import type { Worker } from '#platform/jobs/worker.ts'
import type { HealthRecord } from '#platform/outside/health.ts'
import { chooseServices } from './choose-services.ts'
import { startCourierWorker } from './couriers/courier-worker.ts'
import type { CourierServices } from './couriers/courier.ts'
import { startProofWorker } from './couriers/proof-worker.ts'
import { noCourier, noTexts } from './no-services.ts'
import { startSandboxCourier } from './couriers/sandbox-courier.ts'
import { createSandboxTexts } from './texts/sandbox-texts.ts'
import { drawnMaps, type StaticMaps } from './maps/static-maps.ts'
import { courierSettings } from './settings.ts'
import type { TextService } from './texts/texts.ts'

export interface DeliveryServicesDeps {
  readonly config: Config
  readonly db: Database
  readonly health: HealthRecord
  /** A request to this server itself, as if from the network. */
  readonly askSelf: (path: string, headers: Record<string, string>, body: string) => Promise<number>
  readonly onChange: () => void
  readonly onError: (error: unknown) => void
}

export interface DeliveryServices {
  readonly couriers: CourierServices
  readonly courierWorker: Worker
  readonly maps: StaticMaps
  readonly texts: TextService
  stop(): Promise<void>
}

/** The outside services of this slice, by the settings. In the demo, sandboxes take the place of missing ones. */
export function openDeliveryServices(deps: DeliveryServicesDeps): DeliveryServices {
  const { config, db, health, onChange, onError } = deps
  const chosen = chooseServices(config, health)
  // Beside a real service too: the sandbox's couriers still deliver the orders that they have.
  const sandbox = config.isDemo ? startSandbox(deps) : undefined
  const all = sandbox === undefined ? chosen.couriers : [...chosen.couriers, sandbox]
  const couriers: CourierServices = { current: all[0] ?? noCourier, all }
  const work = { db, services: couriers, onChange, onError }
  const courierWorker = startCourierWorker(work)
  const proofWorker = startProofWorker(work)
  return {
    couriers,
    courierWorker,
    maps: chosen.maps?.show ?? drawnMaps,
    texts: chosen.texts ?? (config.isDemo ? createSandboxTexts(db) : noTexts),
    async stop() {
      await sandbox?.stop()
      await courierWorker.stop()
      await proofWorker.stop()
    },
  }
}

function startSandbox({ config, db, askSelf, onError }: DeliveryServicesDeps) {
  return startSandboxCourier({
    db,
    secret: config.sessionSecret,
    pace: courierSettings.read(config.env).sandboxPace,
    trackingBase: config.publicUrl ?? `http://127.0.0.1:${config.port}`,
    async callBack(headers, body) {
      const status = await askSelf('/providers/v1/couriers/sandbox/events', headers, body)
      if (status >= 300) throw new Error(`The sandbox courier's callback was answered with ${status}`)
    },
    onError,
  })
}
