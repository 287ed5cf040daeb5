import { gzipSync } from 'node:zlib'
import type { Page } from '@playwright/test'
import { expect, test } from './desk.ts'

const kilobyte = 1_000

test('the order list comes cold with at most 150 kB of script, 25 kB of CSS (gzip) and 10 requests', async ({
  page,
}) => {
  const before = page.waitForRequest((request) => request.url().includes('/orders/optimized'))
  const asked: string[] = []
  const bodies: Promise<{ type: string; size: number }>[] = []
  let isListShown = false
  page.on('request', (request) => {
    if (!isListShown) asked.push(`${request.method()} ${new URL(request.url()).pathname}`)
  })
  page.on('response', (response) => {
    const type = response.headers()['content-type'] ?? ''
    if (isListShown || !/javascript|css/.test(type)) return
    bodies.push(response.body().then((body) => ({ type, size: gzipSync(body).length })))
  })
  await page.goto('/orders/active')
  await before
  await page.getByRole('row').nth(1).waitFor()
  isListShown = true
  const sizes = await Promise.all(bodies)
  const sum = (kind: string) =>
    sizes.filter(({ type }) => type.includes(kind)).reduce((total, { size }) => total + size, 0) / kilobyte
  expect(sum('javascript'), 'kB of script').toBeLessThanOrEqual(150)
  expect(sum('javascript'), 'kB of script').toBeGreaterThan(30)
  expect(sum('css'), 'kB of CSS').toBeLessThanOrEqual(25)
  expect(sum('css'), 'kB of CSS').toBeGreaterThan(1)
  expect(asked.length, asked.join('\n')).toBeLessThanOrEqual(10)
})

interface Loaded {
  address: string
  size: number
}

/** The script that a page has fetched, by address, as it would be over the wire. */
function watchScripts(page: Page): () => Promise<Loaded[]> {
  const bodies: Promise<Loaded>[] = []
  page.on('response', (response) => {
    if (!/javascript/.test(response.headers()['content-type'] ?? '')) return
    const address = response.url()
    const loaded = response.body().then((body) => ({ address, size: gzipSync(body).length }))
    // What is fetched ahead of need may still be under way when the test is over.
    bodies.push(loaded.catch(() => ({ address, size: 0 })))
  })
  return () => Promise.all(bodies)
}

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

    test('comes with at most 60 kB of script (gzip) on top of the shell', async ({ page }) => {
      // The shell: what a page of it loads that needs no more than the frame.
      const ofShell = watchScripts(page)
      await page.goto(person === null ? '/terms' : '/reports')
      await page.getByRole('heading', { level: 1 }).waitFor()
      const shell = new Set((await ofShell()).map(({ address }) => address))
      const here = watchScripts(page)
      await page.goto(path)
      await page.getByRole('heading', { level: 1, name: heading }).waitFor()
      const own = (await here()).filter(({ address }) => !shell.has(address))
      const size = own.reduce((sum, each) => sum + each.size, 0) / kilobyte
      expect(size, own.map((each) => `${each.size} ${each.address}`).join('\n')).toBeLessThanOrEqual(60)
      expect(size, 'kB of script').toBeGreaterThan(0)
    })
  })
}
