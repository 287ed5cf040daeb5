import { line } from '../calls/is-reached.ts'
import { whenIdle } from '../parts/when-idle.ts'
import { scopes } from './scopes.ts'

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
  const workers = navigator.serviceWorker as ServiceWorkerContainer | undefined
  for (const scope of workers ? scopes : []) {
    const registration = await workers?.register('/desk-worker.js', { scope, updateViaCache: 'none' })
    // A page that stays open all day, or the first one after an update, would wait for hours otherwise.
    await registration?.update()
    // The first one fetches the build's files, and the others find them on the device.
    if (!(await isInstalled(registration?.installing))) return
  }
}

/** False if the worker could not be installed, and without a new one true. */
function isInstalled(worker: ServiceWorker | null | undefined): Promise<boolean> {
  if (!worker) return Promise.resolve(true)
  return new Promise((resolve) => {
    const look = (): void => {
      if (worker.state === 'activated' || worker.state === 'redundant') resolve(worker.state === 'activated')
    }
    worker.addEventListener('statechange', look)
    look()
  })
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
