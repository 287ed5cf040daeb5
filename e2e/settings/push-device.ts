import type { BrowserContext, Locator, Page } from '@playwright/test'
import { newReceiver } from '../../server/test/providers/push-service.ts'
import { expect } from '../desk.ts'
import { buildKept } from '../offline/on-device.ts'

export const card = (page: Page) =>
  page.locator('section').filter({ has: page.getByRole('heading', { name: 'Messages to your devices' }) })
export const button = (page: Page) => card(page).getByRole('button', { name: 'Switch on for this device' })

/** The switch, once the worker runs: the page gives it ten seconds to start, and on a busy machine it takes longer. */
export async function readySwitch(page: Page): Promise<Locator> {
  await buildKept(page)
  return button(page)
}

/**
 * A browser of this machine reaches no push service, so this one gives the subscription that a service would give: the
 * same one until it is ended.
 */
export async function withPushService(
  context: BrowserContext,
  origin = 'https://push.example.com',
): Promise<void> {
  const given = { ...newReceiver().keys, origin }
  await context.addInitScript(({ p256dh, auth, origin: service }) => {
    const kept = 'a push service’s subscription'
    const textOf = (key: BufferSource | string | null | undefined) => (typeof key === 'string' ? key : '')
    const bytesOf = (text: string) =>
      Uint8Array.from(
        atob(text.replaceAll('-', '+').replaceAll('_', '/')),
        (letter) => letter.codePointAt(0) ?? 0,
      )
    const found = () => {
      const stored = localStorage.getItem(kept)
      if (stored === null) return null
      const { endpoint, key } = JSON.parse(stored) as { endpoint: string; key: string }
      return {
        endpoint,
        options: { applicationServerKey: bytesOf(key).buffer },
        toJSON: () => ({ endpoint, keys: { p256dh, auth } }),
        unsubscribe: () => Promise.resolve(localStorage.removeItem(kept)),
      }
    }
    Object.assign(PushManager.prototype, {
      getSubscription: () => Promise.resolve(found()),
      subscribe(options: PushSubscriptionOptionsInit) {
        if (found()) return Promise.resolve(found())
        const endpoint = `${service}/${crypto.randomUUID()}`
        localStorage.setItem(kept, JSON.stringify({ endpoint, key: textOf(options.applicationServerKey) }))
        return Promise.resolve(found())
      },
    })
  }, given)
}

export async function mayNotify(page: Page, permission: NotificationPermission): Promise<void> {
  // The headless shell denies notifications also when the test grants them.
  await page.addInitScript((given) => {
    let asked = false
    Object.defineProperty(Notification, 'permission', {
      get: () => (given === 'granted' && !asked ? 'default' : given),
    })
    Notification.requestPermission = () => {
      asked = true
      return Promise.resolve(given)
    }
  }, permission)
}

export async function openAlarms(page: Page): Promise<void> {
  await page.goto('/settings/alarms')
  await expect(page.getByRole('heading', { level: 1, name: 'Alarms' })).toBeVisible()
}
