import { ConfigError, type Config, type Environment } from '#platform/config.ts'
import type { HealthRecord } from '#platform/outside/health.ts'
import type { CourierService } from './couriers/courier.ts'
import { createDoorDash } from './couriers/doordash.ts'
import { createFetchedMaps, fillMapTemplate, type FetchedMaps } from './maps/fetched-maps.ts'
import { googleMapAddress } from './maps/google-maps.ts'
import type { MapAsk } from './maps/map-card.ts'
import type { TextService } from './texts/texts.ts'
import { createTwilio } from './texts/twilio.ts'
import { createUberDirect } from './couriers/uber-direct.ts'

/** The outside services that the settings name; none of them is a stand-in. */
export interface ChosenServices {
  /** The first takes the new requests; the other one's deliveries are followed to their end. */
  readonly couriers: readonly CourierService[]
  readonly texts: TextService | undefined
  readonly maps: FetchedMaps | undefined
}

interface Chosen {
  readonly env: Environment
  readonly publicUrl: string | undefined
  readonly options: { readonly health: HealthRecord; readonly timeoutMs?: number }
}

export function chooseServices({ env, publicUrl }: Config, health: HealthRecord): ChosenServices {
  const chosen: Chosen = {
    env,
    publicUrl,
    options: { health, ...timeoutOf(env['PROVIDER_TIMEOUT_MS']) },
  }
  return { couriers: chooseCouriers(chosen), texts: chooseTexts(chosen), maps: chooseMaps(chosen) }
}

function chooseCouriers(chosen: Chosen): CourierService[] {
  const { env } = chosen
  const found = [chooseDoorDash(chosen), chooseUber(chosen)].filter((service) => service !== undefined)
  const wanted = env['COURIER'] || undefined
  if (wanted === undefined) {
    if (found.length > 1)
      throw new ConfigError(
        'Both DoorDash and Uber Direct are set. Please say with COURIER=doordash or COURIER=uber who takes the new requests.',
      )
    return found
  }
  const current = found.find(({ slug }) => slug === wanted)
  if (current === undefined)
    throw new ConfigError(`COURIER must be doordash or uber, whose settings are there, not "${wanted}".`)
  return [current, ...found.filter((service) => service !== current)]
}

function chooseDoorDash({ env, options }: Chosen): CourierService | undefined {
  const given = settingsOf(env, [
    'DOORDASH_DEVELOPER_ID',
    'DOORDASH_KEY_ID',
    'DOORDASH_SIGNING_SECRET',
    'DOORDASH_WEBHOOK_CREDENTIAL',
  ])
  if (given === undefined) return undefined
  return createDoorDash(
    {
      url: env['DOORDASH_URL'] || 'https://openapi.doordash.com/drive/v2',
      developerId: given.DOORDASH_DEVELOPER_ID,
      keyId: given.DOORDASH_KEY_ID,
      signingSecret: given.DOORDASH_SIGNING_SECRET,
      webhookCredential: given.DOORDASH_WEBHOOK_CREDENTIAL,
    },
    options,
  )
}

function chooseUber({ env, options }: Chosen): CourierService | undefined {
  const given = settingsOf(env, [
    'UBER_CUSTOMER_ID',
    'UBER_CLIENT_ID',
    'UBER_CLIENT_SECRET',
    'UBER_WEBHOOK_KEY',
  ])
  if (given === undefined) return undefined
  return createUberDirect(
    {
      url: `${env['UBER_URL'] || 'https://api.uber.com'}/v1/customers/${given.UBER_CUSTOMER_ID}`,
      tokenUrl: env['UBER_TOKEN_URL'] || 'https://login.uber.com/oauth/v2/token',
      clientId: given.UBER_CLIENT_ID,
      clientSecret: given.UBER_CLIENT_SECRET,
      webhookKey: given.UBER_WEBHOOK_KEY,
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

function chooseMaps({ env, options }: Chosen): FetchedMaps | undefined {
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
  if (!template) return undefined
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
