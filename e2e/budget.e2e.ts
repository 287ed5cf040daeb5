import { readdirSync } from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Page, Request } from '@playwright/test'
import { dialog, expect, openOrders, test } from './desk.ts'
import { root } from './shop.ts'

const kilobyte = 1_000

interface Asked {
  readonly address: string
  /** The kind of file: script, css, fetch and so on. */
  readonly type: string
  /** In kB over the wire; 0 for an entry that is no file of the page. */
  readonly size: number
}

/**
 * Opens a page and returns the files that it fetched until it showed the given text. The moments are the page's own:
 * files that an idle page fetches early come later and do not count, on a slow machine either.
 */
async function askedUntil(page: Page, path: string, shown: string): Promise<Asked[]> {
  const requests: Request[] = []
  page.on('request', (request) => requests.push(request))
  await page.addInitScript((selector) => {
    // Beside a slow server the page is idle before it shows anything.
    Object.assign(window, { requestIdleCallback: () => 0 })
    const found = document as Document & { shownAt?: number }
    const observer = new MutationObserver(() => {
      if (document.querySelector(selector) === null) return
      observer.disconnect()
      found.shownAt = performance.now()
    })
    observer.observe(document, { childList: true, subtree: true })
  }, shown)
  await page.goto(path)
  await page.locator(shown).first().waitFor()
  const loaded = new Map<string, { type: string; size: number }>()
  // The browser lists a file once the file has arrived.
  for (const request of requests.filter((each) => /script|stylesheet/.test(each.resourceType()))) {
    const body = await (await request.response())?.body()
    const size = gzipSync(body ?? '').length / kilobyte
    loaded.set(request.url(), { type: request.resourceType(), size })
  }
  const before = await page.evaluate(() => {
    const { shownAt = 0 } = document as Document & { shownAt?: number }
    const entries = performance.getEntriesByType('resource').filter(({ startTime }) => startTime <= shownAt)
    return [location.href, ...entries.map(({ name }) => name)]
  })
  return before.map((address) => ({ address, ...(loaded.get(address) ?? { type: 'other', size: 0 }) }))
}

function sum(asked: readonly Asked[], kind: string): number {
  return asked.filter(({ type }) => type === kind).reduce((total, { size }) => total + size, 0)
}

function linesOf(asked: readonly Asked[]): string {
  return asked.map(({ size, address }) => `${size} ${address}`).join('\n')
}

test('the order list opens cold with at most 150 kB of script, 25 kB of CSS (gzip) and 10 requests', async ({
  page,
}) => {
  const asked = await askedUntil(page, '/orders/active', 'tbody tr')
  expect(linesOf(asked)).toContain('/orders/optimized')
  expect(asked.length, linesOf(asked)).toBeLessThanOrEqual(10)
  expect(sum(asked, 'script'), linesOf(asked)).toBeLessThanOrEqual(150)
  expect(sum(asked, 'script'), linesOf(asked)).toBeGreaterThan(30)
  expect(sum(asked, 'stylesheet'), linesOf(asked)).toBeLessThanOrEqual(25)
  expect(sum(asked, 'stylesheet'), linesOf(asked)).toBeGreaterThan(1)
})

test('the page itself names every script of the order list, so that none waits for another', async ({
  page,
}) => {
  const asked = await askedUntil(page, '/orders/active', 'tbody tr')
  const scripts = asked
    .filter(({ type }) => type === 'script')
    .map(({ address }) => new URL(address).pathname)
  expect(scripts.length).toBeGreaterThan(1)
  const document = await page.request.get('/orders/active', { headers: { accept: 'text/html' } })
  const html = await document.text()
  expect(scripts.filter((script) => !html.includes(script))).toEqual([])
})

test.describe('once the list is idle', () => {
  for (const fetchesAhead of [true, false])
    test.describe(fetchesAhead ? 'usually' : 'in a browser that saves data', () => {
      test.use({ fetchesAhead })

      test(`${fetchesAhead ? 'the part of a press has come before it' : 'a part comes with its press alone'}`, async ({
        page,
      }) => {
        const asked: string[] = []
        page.on('request', (request) => asked.push(new URL(request.url()).pathname))
        const parts = () =>
          asked.filter((path) => /\/(idle|shortcut-sheet|order-page|\w+-dialog)-/.test(path))
        await openOrders(page)
        // The page asks for this part in the same idle moment, whether it saves data or not.
        await expect.poll(() => parts().some((path) => path.includes('/idle-'))).toBe(true)
        if (fetchesAhead) await expect.poll(() => parts().length).toBeGreaterThan(10)
        await page.keyboard.press('?')
        await expect(dialog(page, 'Keyboard shortcuts')).toBeVisible()
        if (!fetchesAhead)
          expect(parts().toSorted()).toEqual([
            expect.stringMatching(/\/idle-/),
            expect.stringMatching(/\/shortcut-sheet-/),
          ])
      })
    })
})

const screens: readonly (readonly [path: string, heading: string, person: string | null])[] = [
  ['/login', 'Sign in to the order desk', null],
  ['/signup', 'Create an Account', null],
  ['/forgot', 'Reset Password', null],
  ['/forgot/password-reset/a-token', 'Enter a New Password', null],
  ['/join/a-token', 'Invitation', null],
  ['/settings/profile', 'Profile', 'owner@demo.test'],
  ['/settings/users', 'Users', 'owner@demo.test'],
]

for (const [path, heading, person] of screens) {
  test.describe(path, () => {
    test.use({ person })

    test('adds at most 60 kB of script (gzip) to the shell', async ({ page, context }) => {
      // The shell: the files of a page that needs only the frame.
      const frame = await askedUntil(page, person === null ? '/terms' : '/reports', 'h1')
      await page.close()
      const other = await context.newPage()
      const all = await askedUntil(other, path, 'h1')
      await expect(other.getByRole('heading', { level: 1, name: heading })).toBeVisible()
      const shell = new Set(frame.map(({ address }) => address))
      const own = all.filter(({ address }) => !shell.has(address))
      expect(sum(own, 'script'), linesOf(own)).toBeLessThanOrEqual(60)
      expect(sum(own, 'script'), linesOf(own)).toBeGreaterThan(0)
    })
  })
}

test('each file of the dashboard runs when it is fetched by itself: no two wait for each other', async ({
  page,
}) => {
  const folder = path.join(root, 'web', 'dist', 'assets')
  // The reference of the API starts in a page of its own.
  const files = readdirSync(folder).filter((file) => /^(?!reference-).*\.js$/.test(file))
  expect(files.length).toBeGreaterThan(50)
  await page.goto('/orders/active')
  await page.locator('tbody tr').first().waitFor()
  const failures = await page.evaluate(async (names) => {
    const said: string[] = []
    for (const name of names)
      await import(`/assets/${name}`).catch((error: unknown) => said.push(`${name}: ${String(error)}`))
    return said
  }, files)
  expect(failures).toEqual([])
})
