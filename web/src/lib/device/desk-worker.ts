/**
 * The service worker of the desk, a script of its own: it keeps one build's page and parts, so that the desk opens
 * without a connection. It never touches the calls of the API.
 */

/** Both are filled in by the build (`web/worker-file.ts`). */
declare const BUILD: string
declare const FILES: readonly string[]

interface Lasting {
  waitUntil: (work: Promise<unknown>) => void
}

interface Fetching extends Lasting {
  readonly request: Request
  readonly preloadResponse: Promise<Response | undefined>
  respondWith: (answer: Promise<Response>) => void
}

interface Pushed extends Lasting {
  readonly data: { json: () => unknown } | null
}

interface Clicked extends Lasting {
  readonly notification: Notification
}

/** An open page of ours. */
interface Opened {
  readonly url: string
  readonly focused: boolean
  focus: () => Promise<Opened>
  navigate: (path: string) => Promise<Opened | null>
}

interface WorkerScope {
  addEventListener: ((type: 'install' | 'activate', react: (event: Lasting) => void) => void) &
    ((type: 'fetch', react: (event: Fetching) => void) => void) &
    ((type: 'push', react: (event: Pushed) => void) => void) &
    ((type: 'notificationclick', react: (event: Clicked) => void) => void)
  skipWaiting: () => Promise<void>
  readonly registration: ServiceWorkerRegistration
  readonly clients: {
    claim: () => Promise<void>
    matchAll: (options: { type: 'window'; includeUncontrolled: true }) => Promise<readonly Opened[]>
    openWindow: (path: string) => Promise<Opened | null>
  }
}

const worker = self as unknown as WorkerScope
const PREFIX = 'cellarhand-desk-'
const CACHE = `${PREFIX}${BUILD}`
const PAGE = '/'
const PAGE_OF_ORDERS = '/orders'
/** The page keeps this entry while its event stream is away (`keep-desk.ts`). */
const AWAY = '/line-away'
/** Rows are to be read within a second. A page that opens before the answer asks for it again itself (`kept-desk.ts`). */
const PATIENCE_MS = 250

worker.addEventListener('install', (event) => event.waitUntil(install()))
worker.addEventListener('activate', (event) => event.waitUntil(takeOver()))
worker.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== location.origin) return
  if (request.mode === 'navigate') event.respondWith(openPage(event))
  else if (FILES.includes(pathname)) event.respondWith(openFile(request))
})
worker.addEventListener('push', (event) => event.waitUntil(show(event)))
worker.addEventListener('notificationclick', (event) => event.waitUntil(openFrom(event.notification)))

/** One file after the other: nobody waits for them, and the desk has the line for its own calls. */
async function install(): Promise<void> {
  const cache = await caches.open(CACHE)
  for (const file of FILES) {
    // The worker of another address of the desk (`scopes.ts`) has fetched it for this build already.
    if (await cache.match(file)) continue
    // Parts that did not change have the same name in the build before.
    const known = await caches.match(file)
    await cache.put(file, known ?? (await fetched(file)))
  }
  const page = await fetched(PAGE)
  // A newer build has been installed meanwhile, and brings a worker of its own.
  if (!(await isOfThisBuild(page.clone()))) throw new Error('The page is of another build')
  await cache.put(PAGE, page)
  await worker.skipWaiting()
}

async function takeOver(): Promise<void> {
  for (const name of await caches.keys())
    if (name.startsWith(PREFIX) && name !== CACHE) await caches.delete(name)
  await worker.registration.navigationPreload?.enable()
  // The page that brought the worker has its parts from now on too.
  await worker.clients.claim()
}

async function fetched(path: string): Promise<Response> {
  const reply = await fetch(path, { headers: { accept: path === PAGE ? 'text/html' : '*/*' } })
  if (!reply.ok) throw new Error(`${path} answered ${reply.status}`)
  return reply
}

/** Undefined for a page that is none of the desk's, such as a network's own sign-in page. */
async function isOfThisBuild(page: Response): Promise<boolean | undefined> {
  const first = /\/assets\/index-[\w.-]+\.js/.exec(await page.text())
  return first ? FILES.includes(first[0]) : undefined
}

/** The network first: while the server answers, nobody gets an older page than the server's. */
async function openPage(event: Fetching): Promise<Response> {
  const cache = await caches.open(CACHE)
  const page = await cache.match(PAGE)
  const isWorthAsking = !page || navigator.onLine
  const asked = isWorthAsking ? askFor(event) : Promise.reject(new Error('The device has no line'))
  // An answer that comes too late for this page still tells which build is live.
  event.waitUntil(asked.then((answer) => followBuild(cache, answer.clone())).catch(() => undefined))
  if (!page) return asked
  const tooLate = new Promise<'late'>((resolve) => setTimeout(() => resolve('late'), PATIENCE_MS))
  const answer = await Promise.race([asked.catch(() => undefined), tooLate])
  if (answer === 'late') return asKept(page, (await caches.match(AWAY)) ? 'away' : 'late')
  return !answer || [502, 503, 504].includes(answer.status) ? asKept(page, 'away') : answer
}

/** From the first page of another build on, this one's is never shown again, even if that build's worker fails. */
async function followBuild(cache: Cache, answer: Response): Promise<void> {
  if (!answer.ok) return
  const isOwn = await isOfThisBuild(answer.clone())
  // A worker of a later build may have deleted the files: the page alone would stay blank.
  if (isOwn && (await cache.match(FILES[0] ?? PAGE))) await cache.put(PAGE, answer)
  else if (isOwn === false) await cache.delete(PAGE)
}

async function askFor({ preloadResponse, request }: Fetching): Promise<Response> {
  return (await preloadResponse) ?? fetch(request)
}

/** The page learns from the mark that no server gave it (`main.tsx`), and whether one may still answer. */
async function asKept(page: Response, line: 'away' | 'late'): Promise<Response> {
  const html = await page.text()
  const headers = new Headers(page.headers)
  headers.delete('content-encoding')
  headers.delete('content-length')
  const mark = `<meta name="cellarhand-kept" content="${line}">`
  return new Response(html.replace('<title>', `${mark}<title>`), { headers })
}

async function openFile(request: Request): Promise<Response> {
  return (await caches.match(request)) ?? fetch(request)
}

/** Every message is shown, even one that cannot be read: a browser ends the messages of a worker that stays silent. */
async function show({ data }: Pushed): Promise<void> {
  const { title, body, path, topic } = readMessage(data)
  // The libraries of TypeScript do not know `renotify`, which browsers have.
  const options: NotificationOptions & { renotify: boolean } = {
    body: body ?? 'Open the desk to see them.',
    icon: '/icon-192.png',
    // A newer message about the same takes the place of the older one, and is heard all the same.
    tag: topic ?? 'orders',
    renotify: true,
    data: { path: path ?? PAGE_OF_ORDERS },
  }
  await worker.registration.showNotification(title ?? 'Orders wait', options)
}

function readMessage(data: Pushed['data']): Partial<Record<'title' | 'body' | 'path' | 'topic', string>> {
  try {
    const given = data?.json() as Record<string, unknown> | null | undefined
    return Object.fromEntries(Object.entries(given ?? {}).filter(([, value]) => typeof value === 'string'))
  } catch {
    return {}
  }
}

/** Brings a desk that is open to the front, at the path of the message, or opens one. */
async function openFrom(notification: Notification): Promise<void> {
  notification.close()
  const { path } = notification.data as { path: string }
  const target = new URL(path, location.origin)
  const isOurs = target.origin === location.origin && /^\/orders(\/|$)/.test(target.pathname)
  const address = isOurs ? target.pathname : PAGE_OF_ORDERS
  const opened = await worker.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const desks = opened.filter(({ url }) => new URL(url).pathname.startsWith(PAGE_OF_ORDERS))
  const desk = desks.find(({ focused }) => focused) ?? desks[0]
  if (!desk) return void (await worker.clients.openWindow(address))
  await desk.focus()
  // A desk is on the orders already, perhaps with work in hand; a single order needs its own page.
  if (address === PAGE_OF_ORDERS || new URL(desk.url).pathname === address) return
  // Of a page that no worker controls, the browser refuses it.
  await desk.navigate(address).catch(() => worker.clients.openWindow(address))
}
