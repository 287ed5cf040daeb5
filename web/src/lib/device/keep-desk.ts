import { line } from '../calls/is-reached.ts'
import { whenIdle } from '../parts/when-idle.ts'

/** Not the whole origin: an old worker of the desk had that, and is unregistered wherever it is found (SHELL-002). */
const scope = '/orders'

/** Lets the browser keep this build of the desk, where it can; where it cannot, everything works as before. */
export function keepDesk(): void {
  whenIdle(() => void register().catch(() => undefined))
}

/** Follows whether the worker has the parts of this page; after an update it has those of another build. */
export function followKeptParts(): void {
  const workers = navigator.serviceWorker as ServiceWorkerContainer | undefined
  if (!workers) return
  const look = async (): Promise<void> => {
    const first = document.querySelector<HTMLScriptElement>('script[type=module]')?.src ?? ''
    line.hasParts = workers.controller !== null && (await caches.match(first)) !== undefined
  }
  const follow = (): void => void look().catch(() => (line.hasParts = false))
  follow()
  workers.addEventListener('controllerchange', follow)
}

async function register(): Promise<void> {
  const registration = await navigator.serviceWorker?.register('/desk-worker.js', {
    scope,
    updateViaCache: 'none',
  })
  // A page that stays open all day, or the first one after an update, would wait for hours otherwise.
  await registration?.update()
}

const mark = 'cellarhand-line'

/** Tells the worker that the server is away: it then waits for no answer for long (`desk-worker.ts`). */
export async function markLine(isAway: boolean): Promise<void> {
  try {
    if (!isAway) return void (await caches.delete(mark))
    await (await caches.open(mark)).put('/line-away', new Response(''))
  } catch {
    // A browser without this storage has no worker either.
  }
}

/** The server has another page now: the worker must not open this one again. */
export async function dropKeptPage(): Promise<void> {
  const own = document.querySelector<HTMLScriptElement>('script[type=module]')?.getAttribute('src') ?? ''
  for (const name of await caches.keys()) {
    const cache = await caches.open(name)
    const page = await cache.match('/')
    if (page && (await page.text()).includes(own)) await cache.delete('/')
  }
}
