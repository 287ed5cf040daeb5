import { serviceUses, type ServiceUse } from '@cellarhand/contract/merchants'
import { probeStripe } from './billing/public.ts'
import { chooseContent, prismicName } from './content/public.ts'
import { chooseServices } from './delivery/public.ts'
import type { ServiceInUse } from './merchants/public.ts'
import type { Config } from './platform/config.ts'
import type { Database } from './platform/db/database.ts'
import { createS3Store, objectStoreName, probeS3 } from './platform/files/s3-store.ts'
import { checkMailServer, mailServerName } from './platform/mail/mailer.ts'
import type { HealthRecord } from './platform/outside/health.ts'
import { chooseShippingProvider } from './shipping/public.ts'

export interface OutsideService extends ServiceInUse {
  /** Asks for something harmless; absent where nothing can be asked without leaving a trace. */
  readonly ask?: () => Promise<unknown>
}

/** A delivery, a phone and a message that do not exist: who says so answers, and knows our key. */
const nobody = {
  delivery: { deliveryId: 'cellarhand-check', serviceId: null },
  text: { messageId: 'check', number: '+12125550100', body: 'cellarhand-check' },
}

/** The providers that the settings name, by what they are used for; of two courier services the second is on its way out. */
export function listOutsideServices(config: Config, db: Database, health: HealthRecord): OutsideService[] {
  const { stripe, smtp, s3, prismic, isDemo } = config
  const shipping = chooseShippingProvider(config, db, health)
  const { couriers, texts, maps } = chooseServices(config, health)
  const found: OutsideService[] = [
    ...(shipping && config.easyPost
      ? [{ use: 'labels' as const, provider: shipping.name, ask: () => shipping.probe() }]
      : []),
    ...couriers.map((courier) => ({
      use: 'couriers' as const,
      provider: courier.name,
      ask: () => courier.look(nobody.delivery),
    })),
    ...(texts === undefined
      ? []
      : [{ use: 'texts' as const, provider: texts.name, ask: () => texts.find(nobody.text, new Date()) }]),
    ...(maps === undefined ? [] : [{ use: 'maps' as const, provider: maps.name, ask: () => maps.probe() }]),
    ...(stripe === undefined
      ? []
      : [{ use: 'payments' as const, provider: 'Stripe', ask: () => probeStripe(stripe, health) }]),
    ...(smtp === undefined
      ? []
      : [{ use: 'mail' as const, provider: mailServerName, ask: () => checkMailServer(smtp, health) }]),
    ...(prismic === undefined
      ? []
      : [
          {
            use: 'news' as const,
            provider: prismicName,
            ask: async () => chooseContent(health, prismic)?.probe(),
          },
        ]),
    ...(s3 === undefined
      ? []
      : [
          {
            use: 'files' as const,
            provider: objectStoreName,
            ask: () => probeS3(createS3Store(s3, health)),
          },
        ]),
    ...(config.segment === undefined ? [] : [{ use: 'events' as const, provider: 'Segment' }]),
    ...(config.sentryDsn === undefined ? [] : [{ use: 'errors' as const, provider: 'Sentry' }]),
  ]
  const isFound = (use: ServiceUse) => found.some((service) => service.use === use)
  const missing = serviceUses
    .filter((use) => !isFound(use))
    .map((use) => ({ use, provider: undefined, isSandbox: isDemo && sandboxed.has(use) }))
  return [...found, ...missing].toSorted((a, b) => serviceUses.indexOf(a.use) - serviceUses.indexOf(b.use))
}

const sandboxed = new Set<ServiceUse>(['labels', 'couriers', 'texts', 'payments', 'mail'])
