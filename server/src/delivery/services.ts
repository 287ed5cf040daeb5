import { ConfigError, type Config } from '#platform/config.ts'
import type { Database } from '#platform/db/database.ts'
import { startCourierWorker, type CourierWorker } from './courier-worker.ts'
import type { CourierService } from './courier.ts'
import { startSandboxCourier } from './sandbox-courier.ts'
import { createSandboxTexts } from './sandbox-texts.ts'
import { drawnMaps, type StaticMaps } from './static-maps.ts'
import type { TextService } from './texts.ts'

export interface DeliveryServicesDeps {
  readonly config: Config
  readonly db: Database
  /** A request to this server itself, as if it came over the network. */
  readonly askSelf: (path: string, headers: Record<string, string>, body: string) => Promise<number>
  readonly onChange: () => void
  readonly onError: (error: unknown) => void
}

export interface DeliveryServices {
  readonly courier: CourierService
  readonly courierWorker: CourierWorker
  readonly maps: StaticMaps
  readonly texts: TextService
  stop(): Promise<void>
}

/** The outside services of this slice, as the settings choose them; where nothing is set, their sandboxes. */
export function openDeliveryServices(deps: DeliveryServicesDeps): DeliveryServices {
  const { db, onChange, onError } = deps
  const sandbox = startSandbox(deps)
  const courierWorker = startCourierWorker({ db, service: sandbox, onChange, onError })
  return {
    courier: sandbox,
    courierWorker,
    maps: drawnMaps,
    texts: createSandboxTexts(db),
    async stop() {
      await sandbox.stop()
      await courierWorker.stop()
    },
  }
}

function startSandbox({ config, db, askSelf, onError }: DeliveryServicesDeps) {
  return startSandboxCourier({
    db,
    secret: config.sessionSecret,
    pace: readPace(config.env['COURIER_SANDBOX_PACE']),
    trackingBase: config.publicUrl ?? `http://127.0.0.1:${config.port}`,
    async callBack(headers, body) {
      const status = await askSelf('/providers/v1/couriers/sandbox/events', headers, body)
      if (status >= 300) throw new Error(`The sandbox courier's callback was answered with ${status}`)
    },
    onError,
  })
}

function readPace(text: string | undefined): number {
  const pace = Number(text || '1')
  if (!(pace > 0 && pace <= 10_000))
    throw new ConfigError('COURIER_SANDBOX_PACE must be a number above 0, such as 10 for ten times faster.')
  return pace
}
