import type { TextService } from '#delivery/public.ts'
import type { Config } from '#platform/config.ts'
import type { Database } from '#platform/db/database.ts'
import type { Http } from '#platform/http/server.ts'
import type { Stationery } from '#platform/mail/outgoing.ts'
import { createOfferLinks } from './links.ts'
import { serveSubstitutes } from './routes.ts'
import { startOfferTexts } from './send-texts.ts'
import { startSilence } from './silence.ts'

interface StartDeps {
  readonly http: Http
  readonly config: Pick<Config, 'sessionSecret' | 'productName'>
  readonly db: Database
  readonly texts: TextService
  readonly stationery: Stationery
  /** Refuses without a known address of the server. */
  readonly mailUrl: () => string
  readonly onMail: () => void
  readonly onChange: () => void
  readonly onError: (error: unknown) => void
}

/** The slice's calls, the customer's page, and its background work. */
export function startSubstitutes({ http, config, texts, stationery, mailUrl, ...deps }: StartDeps) {
  const { db, onMail, onChange } = deps
  const links = createOfferLinks(config.sessionSecret, db.clock)
  const linkOf = (offerId: string) => links.create(mailUrl(), offerId)
  const sender = startOfferTexts({ ...deps, texts, stationery, linkOf })
  const silence = startSilence(deps)
  serveSubstitutes(http, {
    db,
    product: config.productName,
    links,
    messages: { stationery, linkOf, digestOf: links.digest },
    onChange,
    onOffer() {
      sender.wake()
      onMail()
    },
  })
  return {
    async stop() {
      await silence.stop()
      await sender.stop()
    },
  }
}
