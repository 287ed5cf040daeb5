const scope = '/orders'
const patienceMs = 10_000

/** Why this browser cannot receive push messages; undefined if it can. */
export type PushObstacle = 'home screen' | 'unsupported' | 'denied'

export function pushObstacle(): PushObstacle | undefined {
  const canPush = 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window
  // An iPhone gives a page these only once it is installed.
  if (!canPush) return /iPhone|iPad|iPod/.test(navigator.userAgent) ? 'home screen' : 'unsupported'
  return Notification.permission === 'denied' ? 'denied' : undefined
}

/** What this browser has switched on already. */
export async function findSubscription(): Promise<PushSubscription | undefined> {
  const registration = await navigator.serviceWorker?.getRegistration(scope)
  return (await registration?.pushManager?.getSubscription()) ?? undefined
}

/**
 * The browser asks the person for the permission, so a press of a button calls this at once. Undefined if they refuse.
 * `isAnew` ends the present subscription, because a browser gives an address that its push service refuses again.
 */
export async function subscribe(
  askKey: () => Promise<string>,
  { isAnew = false } = {},
): Promise<PushSubscription | undefined> {
  if ((await Notification.requestPermission()) !== 'granted') return undefined
  const publicKey = await askKey()
  const registration = await navigator.serviceWorker.register('/desk-worker.js', {
    scope,
    updateViaCache: 'none',
  })
  await activeWorker(registration)
  const known = await registration.pushManager.getSubscription()
  if (known && !isAnew && keyOf(known) === publicKey) return known
  // One of another shop, or of an earlier key, would refuse this one.
  await known?.unsubscribe()
  return registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey })
}

/** `navigator.serviceWorker.ready` waits for the worker of this page, and that of the settings has none. */
function activeWorker(registration: ServiceWorkerRegistration): Promise<void> {
  if (registration.active) return Promise.resolve()
  const worker = registration.installing ?? registration.waiting
  return new Promise((resolve, reject) => {
    setTimeout(() => reject(new Error('The worker did not start')), patienceMs)
    worker?.addEventListener('statechange', () => {
      if (worker.state === 'activated') resolve()
      if (worker.state === 'redundant') reject(new Error('The worker could not be installed'))
    })
  })
}

function keyOf({ options }: PushSubscription): string {
  const bytes = new Uint8Array(options.applicationServerKey ?? new ArrayBuffer())
  const base64 = btoa(String.fromCodePoint(...bytes))
  return base64.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

/** As the server writes it in its list. */
export async function digestOf({ endpoint }: PushSubscription): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(endpoint))
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** As the server takes it: the address of the push service, and the keys that messages are sealed with. */
export function addressOf(subscription: PushSubscription) {
  const { endpoint = '', keys } = subscription.toJSON()
  return { endpoint, keys: { p256dh: keys?.['p256dh'] ?? '', auth: keys?.['auth'] ?? '' } }
}
