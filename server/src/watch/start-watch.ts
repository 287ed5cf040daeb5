import type { TextService } from '#delivery/public.ts'
import type { Http } from '#platform/http/server.ts'
import { serveWatch } from './routes.ts'
import { startWatchTexts } from './send-texts.ts'
import { startTelling, type TellDeps } from './tell-case.ts'

interface StartDeps extends Omit<TellDeps, 'onText' | 'deskUrl'> {
  readonly http: Http
  readonly texts: TextService
  readonly mailBase: () => string | undefined
}

/** The slice's calls, and its background work. */
export function startWatch({ http, texts, mailBase, ...deps }: StartDeps) {
  const deskUrl = () => {
    const base = mailBase()
    return base === undefined ? undefined : `${base}/orders`
  }
  serveWatch(http, deps.db)
  const sender = startWatchTexts({ ...deps, texts, deskUrl })
  const telling = startTelling({ ...deps, deskUrl, onText: () => sender.wake() })
  return {
    async stop() {
      await telling.stop()
      await sender.stop()
    },
  }
}
