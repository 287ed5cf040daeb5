import type { Page } from '@playwright/test'
import { expect, openOrders, test } from '../desk.ts'
import { everyPageKept } from './on-device.ts'
import { firstScript, ofNext, openNextBuild } from './next-build.ts'

test.use({ serviceWorkers: 'allow' })

const deskCaches = (page: Page) =>
  page.evaluate(async () => (await caches.keys()).filter((name) => name.startsWith('cellarhand-desk-')))

test('the desk can be installed: a manifest with name, start and icons that exist', async ({ page }) => {
  await page.goto('/orders/active')
  const href = await page.locator('link[rel=manifest]').getAttribute('href')
  const reply = await page.request.get(href ?? '')
  expect(reply.headers()['content-type']).toMatch(/^application\/manifest\+json/)
  const manifest = (await reply.json()) as { name: string; start_url: string; icons: { src: string }[] }
  expect(manifest).toMatchObject({ name: 'Order desk', start_url: '/orders/active', display: 'standalone' })
  for (const { src } of manifest.icons) {
    const icon = await page.request.get(src)
    expect(icon.status()).toBe(200)
    expect(icon.headers()['content-type']).toMatch(/^image\//)
  }
  const policy = reply.headers()['content-security-policy'] ?? ''
  expect(policy).toContain("worker-src 'self'")
  expect(policy).toContain("manifest-src 'self'")
})

test('SHELL-002 the desk’s own worker stays over a reload, at scopes of its own', async ({ page }) => {
  await openOrders(page)
  await everyPageKept(page)
  await page.reload()
  await openOrders(page)
  const registered = await page.evaluate(async () =>
    (await navigator.serviceWorker.getRegistrations()).map(({ scope, active }) => [
      new URL(scope).pathname,
      new URL(active?.scriptURL ?? '').pathname,
    ]),
  )
  const scopes = ['/hand-over', '/orders', '/pick', '/today', '/wall']
  expect(registered.toSorted()).toEqual(scopes.map((scope) => [scope, '/desk-worker.js']))
})

test('a new build replaces the kept one: no page of the old build while the server answers, and none after', async ({
  openDesk,
  url,
}) => {
  const server = await openNextBuild(url)
  try {
    const page = await openDesk('owner@demo.test', { baseURL: server.url })
    await openOrders(page)
    await everyPageKept(page)
    const [before] = await deskCaches(page)
    server.install()
    await page.reload()
    await expect.poll(() => firstScript(page).catch(() => '')).toMatch(ofNext)
    await expect.poll(() => deskCaches(page)).toEqual(['cellarhand-desk-thenextbuild'])
    expect(before).not.toBe('cellarhand-desk-thenextbuild')
    server.cut()
    await page.reload()
    await expect.poll(() => firstScript(page).catch(() => '')).toMatch(ofNext)
    await expect(page.locator('#root')).not.toBeEmpty()
    // Whose worker may be of the build before for a moment longer: then nothing opens.
    await page.goto('/wall').catch(() => undefined)
    expect((await firstScript(page).catch(() => undefined)) ?? 'none').toMatch(/\.next\.js$|^none$/)
  } finally {
    await server.remove()
  }
})

test('an old build is not opened without a line once the server gave a newer page, though the newer worker fails', async ({
  openDesk,
  url,
}) => {
  const server = await openNextBuild(url)
  try {
    const page = await openDesk('owner@demo.test', { baseURL: server.url })
    await openOrders(page)
    await everyPageKept(page)
    server.install({ isWorkerBroken: true })
    await page.reload()
    await expect.poll(() => firstScript(page).catch(() => '')).toMatch(ofNext)
    await expect.poll(() => page.evaluate(async () => (await caches.match('/')) === undefined)).toBe(true)
    server.cut()
    await expect(page.reload()).rejects.toThrow(/ERR_/)
    await expect(page.goto('/wall')).rejects.toThrow(/ERR_/)
  } finally {
    await server.remove()
  }
})
