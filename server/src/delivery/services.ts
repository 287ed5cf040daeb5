import { ConfigError, type Config, type Environment } from '#platform/config.ts'
import type { Database } from '#platform/db/database.ts'
import { createHealthRecord, type HealthRecord } from '#platform/outside/health.ts'
import type { Worker } from '#platform/jobs/worker.ts'
import { startCourierWorker } from './courier-worker.ts'
import type { CourierService } from './courier.ts'
import { createDoorDash } from './doordash.ts'
import { createFetchedMaps, fillMapTemplate } from './fetched-maps.ts'
import { googleMapAddress } from './google-maps.ts'
import type { MapAsk } from './map-card.ts'
import { noCourier, noTexts } from './no-services.ts'
import { startSandboxCourier } from './sandbox-courier.ts'
import { createSandboxTexts } from './sandbox-texts.ts'
import { drawnMaps, type StaticMaps } from './static-maps.ts'
import type { TextService } from './texts.ts'
import { createTwilio } from './twilio.ts'
import { createUberDirect } from './uber-direct.ts'

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
  readonly courierWorker: Worker
  readonly maps: StaticMaps
  readonly texts: TextService
  stop(): Promise<void>
}

interface Chosen {
  readonly env: Environment
  readonly publicUrl: string | undefined
  readonly options: { readonly health: HealthRecord; readonly timeoutMs?: number }
}

/** The outside services of this slice, as the settings choose them; where nothing is set, in the demo their sandboxes. */
export function openDeliveryServices(deps: DeliveryServicesDeps): DeliveryServices {
  const { config, db, onChange, onError } = deps
  const { env, publicUrl } = config
  const chosen: Chosen = {
    env,
    publicUrl,
    options: { health: createHealthRecord(db, onError), ...timeoutOf(env['PROVIDER_TIMEOUT_MS']) },
  }
  const maps = chooseMaps(chosen)
  const texts = chooseTexts(chosen) ?? (config.isDemo ? createSandboxTexts(db) : noTexts)
  const real = chooseCourier(chosen)
  const sandbox = real === undefined && config.isDemo ? startSandbox(deps) : undefined
  const courier = real ?? sandbox ?? noCourier
  const courierWorker = startCourierWorker({ db, service: courier, onChange, onError })
  return {
    courier,
    courierWorker,
    maps,
    texts,
    async stop() {
      await sandbox?.stop()
      await courierWorker.stop()
    },
  }
}

function chooseCourier({ env, options }: Chosen): CourierService | undefined {
  const doorDash = settingsOf(env, [
    'DOORDASH_DEVELOPER_ID',
    'DOORDASH_KEY_ID',
    'DOORDASH_SIGNING_SECRET',
    'DOORDASH_WEBHOOK_CREDENTIAL',
  ])
  const uber = settingsOf(env, [
    'UBER_CUSTOMER_ID',
    'UBER_CLIENT_ID',
    'UBER_CLIENT_SECRET',
    'UBER_WEBHOOK_KEY',
  ])
  if (doorDash !== undefined && uber !== undefined)
    throw new ConfigError(
      'Both DoorDash and Uber Direct are set. Please keep the settings of one courier service.',
    )
  if (doorDash !== undefined) {
    return createDoorDash(
      {
        url: env['DOORDASH_URL'] || 'https://openapi.doordash.com/drive/v2',
        developerId: doorDash.DOORDASH_DEVELOPER_ID,
        keyId: doorDash.DOORDASH_KEY_ID,
        signingSecret: doorDash.DOORDASH_SIGNING_SECRET,
        webhookCredential: doorDash.DOORDASH_WEBHOOK_CREDENTIAL,
      },
      options,
    )
  }
  if (uber === undefined) return undefined
  return createUberDirect(
    {
      url: `${env['UBER_URL'] || 'https://api.uber.com'}/v1/customers/${uber.UBER_CUSTOMER_ID}`,
      tokenUrl: env['UBER_TOKEN_URL'] || 'https://login.uber.com/oauth/v2/token',
      clientId: uber.UBER_CLIENT_ID,
      clientSecret: uber.UBER_CLIENT_SECRET,
      webhookKey: uber.UBER_WEBHOOK_KEY,
    },
    options,
  )
}

function chooseTexts({ env, publicUrl, options }: Chosen): TextService | undefined {
  const twilio = settingsOf(env, ['TWILIO_ACCOUNT_SID', 'TWILIO_AUTH_TOKEN'])
  if (twilio === undefined) return undefined
  const messagingServiceSid = env['TWILIO_MESSAGING_SERVICE_SID'] || undefined
  const from = env['TWILIO_FROM'] || undefined
  if (messagingServiceSid === undefined && from === undefined)
    throw new ConfigError(
      'Twilio needs TWILIO_MESSAGING_SERVICE_SID or TWILIO_FROM: what messages come from.',
    )
  if (publicUrl === undefined)
    throw new ConfigError('Twilio needs PUBLIC_URL: the address that it calls back, and signs.')
  return createTwilio(
    {
      url: env['TWILIO_URL'] || 'https://api.twilio.com',
      accountSid: twilio.TWILIO_ACCOUNT_SID,
      authToken: twilio.TWILIO_AUTH_TOKEN,
      messagingServiceSid,
      from,
      publicUrl,
    },
    options,
  )
}

function chooseMaps({ env, options }: Chosen): StaticMaps {
  const key = env['GOOGLE_MAPS_KEY']
  const template = env['MAPS_STATIC_URL']
  const hourlyLimit = Number(env['MAPS_HOURLY_LIMIT']) || 1000
  if (key) {
    const google = {
      url: env['GOOGLE_MAPS_URL'] || 'https://maps.googleapis.com',
      key,
      signingSecret: env['GOOGLE_MAPS_SIGNING_SECRET'] || undefined,
    }
    const addressOf = (ask: MapAsk) => googleMapAddress(ask, google)
    return createFetchedMaps({ name: 'Google Maps', addressOf, hourlyLimit }, options)
  }
  if (!template) return drawnMaps
  if (!/^https?:\/\/[^/{}]+\/.*\{address\}/.test(template))
    throw new ConfigError(
      'MAPS_STATIC_URL must be an address with {address} in it, and may have {zoom} and {size}.',
    )
  const addressOf = (ask: MapAsk) => fillMapTemplate(template, ask)
  return createFetchedMaps({ name: 'Map service', addressOf, hourlyLimit }, options)
}

/** All of them, or none; half a configuration is a mistake that should not wait for the first order. */
function settingsOf<const N extends string>(
  env: Environment,
  names: readonly N[],
): Readonly<Record<N, string>> | undefined {
  const missing = names.filter((name) => !env[name])
  if (missing.length === names.length) return undefined
  if (missing.length > 0)
    throw new ConfigError(
      `${missing.join(' and ')} must be set beside ${names.find((name) => env[name]) ?? ''}.`,
    )
  return Object.fromEntries(names.map((name) => [name, env[name] ?? ''])) as Record<N, string>
}

function timeoutOf(text: string | undefined): { timeoutMs?: number } {
  if (!text) return {}
  const timeoutMs = Number(text)
  if (!(timeoutMs >= 100 && timeoutMs <= 60_000))
    throw new ConfigError('PROVIDER_TIMEOUT_MS must be from 100 to 60000.')
  return { timeoutMs }
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
