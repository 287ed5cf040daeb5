import type { Config } from '#platform/config.ts'
import type { HealthRecord } from '#platform/outside/health.ts'
import type { CourierService } from './couriers/courier.ts'
import { createDoorDash } from './couriers/doordash.ts'
import { createFetchedMaps, fillMapTemplate, type FetchedMaps } from './maps/fetched-maps.ts'
import { googleMapAddress } from './maps/google-maps.ts'
import type { MapAsk } from './maps/map-card.ts'
import type { TextService } from './texts/texts.ts'
import { createTwilio } from './texts/twilio.ts'
import { createUberDirect } from './couriers/uber-direct.ts'
import { courierSettings, mapSettings, textSettings } from './settings.ts'

/** The outside services that the settings name; sandboxes are not among them. */
export interface ChosenServices {
  /** The first takes new requests; the deliveries of the other one are followed to their end. */
  readonly couriers: readonly CourierService[]
  readonly texts: TextService | undefined
  readonly maps: FetchedMaps | undefined
}

interface Options {
  readonly health: HealthRecord
  readonly timeoutMs: number
}

export function chooseServices({ env, publicUrl }: Config, health: HealthRecord): ChosenServices {
  const settings = courierSettings.read(env)
  const options = { health, timeoutMs: settings.timeoutMs }
  const twilio = textSettings.read(env)
  return {
    couriers: chooseCouriers(settings, options),
    texts: twilio && createTwilio({ ...twilio, publicUrl: publicUrl ?? '' }, options),
    maps: chooseMaps(mapSettings.read(env), options),
  }
}

type CourierSettings = ReturnType<typeof courierSettings.read>

function chooseCouriers(settings: CourierSettings, options: Options): CourierService[] {
  const { wanted } = settings
  const found = [chooseDoorDash(settings, options), chooseUber(settings, options)].filter(
    (service) => service !== undefined,
  )
  if (wanted === undefined) return found
  const current = found.filter(({ slug }) => slug === wanted)
  return [...current, ...found.filter(({ slug }) => slug !== wanted)]
}

function chooseDoorDash(
  { doorDash, doorDashUrl: url }: CourierSettings,
  options: Options,
): CourierService | undefined {
  if (doorDash === undefined) return undefined
  const settings = {
    url,
    developerId: doorDash.DOORDASH_DEVELOPER_ID,
    keyId: doorDash.DOORDASH_KEY_ID,
    signingSecret: doorDash.DOORDASH_SIGNING_SECRET,
    webhookCredential: doorDash.DOORDASH_WEBHOOK_CREDENTIAL,
  }
  return createDoorDash(settings, options)
}

function chooseUber(
  { uber, uberUrl, uberTokenUrl }: CourierSettings,
  options: Options,
): CourierService | undefined {
  if (uber === undefined) return undefined
  const settings = {
    url: `${uberUrl}/v1/customers/${uber.UBER_CUSTOMER_ID}`,
    tokenUrl: uberTokenUrl,
    clientId: uber.UBER_CLIENT_ID,
    clientSecret: uber.UBER_CLIENT_SECRET,
    webhookKey: uber.UBER_WEBHOOK_KEY,
  }
  return createUberDirect(settings, options)
}

function chooseMaps(
  { google, template, hourlyLimit }: ReturnType<typeof mapSettings.read>,
  options: Options,
): FetchedMaps | undefined {
  if (google !== undefined) {
    const addressOf = (ask: MapAsk) => googleMapAddress(ask, google)
    return createFetchedMaps({ name: 'Google Maps', addressOf, hourlyLimit }, options)
  }
  if (template === undefined) return undefined
  const addressOf = (ask: MapAsk) => fillMapTemplate(template, ask)
  return createFetchedMaps({ name: 'Map service', addressOf, hourlyLimit }, options)
}
