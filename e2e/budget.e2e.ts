import { gzipSync } from 'node:zlib'
import type { Page, Request } from '@playwright/test'
import { expect, test } from './desk.ts'

const kilobyte = 1_000

/**
 * Opens a page and answers what it asked for until it showed that. What it fetches ahead of need, once it is idle, comes
 * later and is not counted, however slow the machine is: the moment is taken in the page.
 */
async function requestsUntil(page: Page, path: string, shown: string): Promise<Request[]> {
  const asked: Request[] = []
  page.on('request', (request) => asked.push(request))
  await page.addInitScript((selector) => {
    const found = document as Document & { shownAt?: number }
    const observer = new MutationObserver(() => {
      if (document.querySelector(selector) === null) return
      observer.disconnect()
      found.shownAt = performance.timeOrigin + performance.now()
    })
    observer.observe(document, { childList: true, subtree: true })
  }, shown)
  await page.goto(path)
  await page.locator(shown).first().waitFor()
  const shownAt = await page.evaluate(() => (document as Document & { shownAt?: number }).shownAt ?? 0)
  expect(shownAt).toBeGreaterThan(0)
  // One that is not answered yet has no time; it was asked for by the page as it stands.
  return asked.filter((request) => request.timing().startTime <= shownAt)
}

interface Loaded {
  readonly address: string
  readonly type: string
  /** In kB, as it would be over the wire. */
  readonly size: number
}

async function sizesOf(requests: readonly Request[]): Promise<Loaded[]> {
  const loaded: Loaded[] = []
  for (const request of requests) {
    const response = await request.response()
    const type = response?.headers()['content-type'] ?? ''
    if (response && /javascript|css/.test(type))
      loaded.push({
        address: request.url(),
        type,
        size: gzipSync(await response.body()).length / kilobyte,
      })
  }
  return loaded
}

function sum(loaded: readonly Loaded[], kind: string): number {
  return loaded.filter(({ type }) => type.includes(kind)).reduce((total, { size }) => total + size, 0)
}

test('the order list comes cold with at most 150 kB of script, 25 kB of CSS (gzip) and 10 requests', async ({
  page,
}) => {
  const asked = await requestsUntil(page, '/orders/active', 'tbody tr')
  const lines = asked.map((request) => `${request.method()} ${new URL(request.url()).pathname}`)
  expect(lines.join('\n')).toContain('/orders/optimized')
  expect(asked.length, lines.join('\n')).toBeLessThanOrEqual(10)
  const loaded = await sizesOf(asked.filter((request) => !request.url().includes('/m/v2/')))
  expect(sum(loaded, 'javascript'), 'kB of script').toBeLessThanOrEqual(150)
  expect(sum(loaded, 'javascript'), 'kB of script').toBeGreaterThan(30)
  expect(sum(loaded, 'css'), 'kB of CSS').toBeLessThanOrEqual(25)
  expect(sum(loaded, 'css'), 'kB of CSS').toBeGreaterThan(1)
})

const screens: readonly (readonly [path: string, heading: string, person: string | null])[] = [
  ['/login', 'Sign in to the order desk', null],
  ['/signup', 'Create an Account', null],
  ['/forgot', 'Reset Password', null],
  ['/forgot/password-reset/a-token', 'Enter a New Password', null],
  ['/settings/profile', 'Profile', 'owner@demo.test'],
  ['/settings/users', 'Users', 'owner@demo.test'],
]

for (const [path, heading, person] of screens) {
  test.describe(path, () => {
    test.use({ person })

    test('comes with at most 60 kB of script (gzip) on top of the shell', async ({ page, context }) => {
      // The shell: what a page of it loads that needs no more than the frame.
      const frame = await sizesOf(await requestsUntil(page, person === null ? '/terms' : '/reports', 'h1'))
      await page.close()
      const other = await context.newPage()
      const all = await sizesOf(await requestsUntil(other, path, 'h1'))
      await expect(other.getByRole('heading', { level: 1, name: heading })).toBeVisible()
      const shell = new Set(frame.map(({ address }) => address))
      const own = all.filter(({ address }) => !shell.has(address))
      const size = sum(own, 'javascript')
      expect(size, own.map((each) => `${each.size} ${each.address}`).join('\n')).toBeLessThanOrEqual(60)
      expect(size, 'kB of script').toBeGreaterThan(0)
    })
  })
}
