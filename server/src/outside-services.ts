import { serviceUses, type ServiceUse } from '@cellarhand/contract/merchants'
import { probeStripe } from './billing/public.ts'
import { paymentSettings } from './billing/settings.ts'
import { chooseContent, prismicName } from './content/public.ts'
import { newsSettings } from './content/settings.ts'
import { chooseServices } from './delivery/public.ts'
import { segmentName, sentryName } from './insights/public.ts'
import { insightSettings } from './insights/settings.ts'
import type { ServiceInUse } from './merchants/public.ts'
import type { Config } from './platform/config.ts'
import type { Database } from './platform/db/database.ts'
import { createS3Store, objectStoreName, probeS3 } from './platform/files/s3-store.ts'
import { checkMailServer, mailServerName } from './platform/mail/mailer.ts'
import type { HealthRecord } from './platform/outside/health.ts'
import { chooseShippingProvider } from './shipping/public.ts'
import { labelSettings } from './shipping/settings.ts'

export interface OutsideService extends ServiceInUse {
  /** Makes a harmless call; absent for a provider where every call leaves a trace. */
  readonly ask?: () => Promise<unknown>
}

/** A delivery, a phone and a message that do not exist: a provider that says so is up, and knows our key. */
const nobody = {
  delivery: { deliveryId: 'cellarhand-check', serviceId: null },
  text: { messageId: 'check', number: '+12125550100', body: 'cellarhand-check' },
}

/** The providers of the settings, by use. With two courier services, the second is being phased out. */
export function outsideServicesOf(config: Config, db: Database, health: HealthRecord): OutsideService[] {
  const { env, smtp, s3, isDemo } = config
  const { easyPost } = labelSettings.read(env)
  const { stripe } = paymentSettings.read(env)
  const { segment, sentryDsn } = insightSettings.read(env)
  // Without EasyPost, shipping uses the sandbox.
  const shipping = easyPost && chooseShippingProvider(config, db, { health })
  const { couriers, texts, maps } = chooseServices(config, health)
  const news = chooseContent(health, newsSettings.read(env))
  const found = [
    shipping && inUse('labels', shipping.name, () => shipping.probe()),
    ...couriers.map(({ name, look }) =>
      inUse('couriers', name, () => look({ ...nobody.delivery, askedAt: new Date(db.clock.nowMs()) })),
    ),
    texts && inUse('texts', texts.name, () => texts.find(nobody.text, new Date(db.clock.nowMs()))),
    maps && inUse('maps', maps.name, () => maps.probe()),
    stripe && inUse('payments', 'Stripe', () => probeStripe(stripe, health)),
    smtp && inUse('mail', mailServerName, () => checkMailServer(smtp, health)),
    news && inUse('news', prismicName, () => news.probe()),
    s3 && inUse('files', objectStoreName, () => probeS3(createS3Store(s3, health))),
    segment && inUse('events', segmentName),
    sentryDsn === undefined ? undefined : inUse('errors', sentryName),
  ].filter((service) => service !== undefined)
  return serviceUses.flatMap((use) => {
    const those = found.filter((service) => service.use === use)
    return those.length > 0 ? those : [{ use, provider: undefined, isSandbox: isDemo && sandboxed.has(use) }]
  })
}

function inUse(use: ServiceUse, provider: string, ask?: OutsideService['ask']): OutsideService {
  return { use, provider, ...(ask && { ask }) }
}

const sandboxed = new Set<ServiceUse>(['labels', 'couriers', 'texts', 'payments', 'mail'])
