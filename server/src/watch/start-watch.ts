import type { TextService } from '#delivery/public.ts'
import type { Config } from '#platform/config.ts'
import type { Http } from '#platform/http/server.ts'
import { createSealer } from '#platform/sealed-text.ts'
import { pushPurpose, type PushPolicy } from './push/push-address.ts'
import { startPush } from './push/send-push.ts'
import { servePush, serveWatch } from './routes.ts'
import { startWatchTexts } from './send-texts.ts'
import { startTelling, type TellDeps } from './tell-case.ts'

interface StartDeps extends Omit<TellDeps, 'onText' | 'onPush' | 'deskUrl'> {
  readonly http: Http
  readonly texts: TextService
  readonly config: Config
  readonly mailBase: () => string | undefined
}

/** The slice's calls, and its background work. */
export function startWatch({ http, texts, config, mailBase, ...deps }: StartDeps) {
  const deskUrl = () => {
    const base = mailBase()
    return base === undefined ? undefined : `${base}/orders`
  }
  const push: PushPolicy = {
    allowLoopback: config.isDemo,
    contact: config.publicUrl?.startsWith('https:') ? config.publicUrl : `mailto:${config.supportEmail}`,
    ...createSealer(config.sealingKeys, pushPurpose),
  }
  serveWatch(http, deps.db)
  servePush(http, deps.db, push)
  const sender = startWatchTexts({ ...deps, texts, deskUrl })
  const pushing = startPush({ ...deps, push })
  const telling = startTelling({
    ...deps,
    deskUrl,
    onText: () => sender.wake(),
    onPush: () => pushing.wake(),
  })
  return {
    async stop() {
      await telling.stop()
      await sender.stop()
      await pushing.stop()
    },
  }
}
