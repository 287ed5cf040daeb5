import { gzipSync } from 'node:zlib'
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
