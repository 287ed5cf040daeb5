import { publishDocument } from '../../server/src/content/public.ts'
import { setOnboarded } from '../../server/src/merchants/public.ts'
import { violationsOf } from '../screens/axe.ts'
import { changeAsAdmin } from '../database.ts'
import { dialog, expect, follow, openOrders, test } from '../desk.ts'
import { watchShifts } from '../screens/layout-shift.ts'

const news = 'merchant_dashboard_news'

test('SHELL-003 without payments every page says that the settings are incomplete; once known, the banner pushes nothing away, and the list ends above the footer below it', async ({
  openDesk,
  dataDir,
  ownShop: shop,
}) => {
  await changeAsAdmin(dataDir, (statements) =>
    setOnboarded(statements, { merchantKey: shop.key, isOnboarded: false }),
  )
  const page = await openDesk(shop.owner)
  const shifted = await watchShifts(page)
  const name = 'Your settings are incomplete'
  const banner = page.getByRole('region', { name })
  const words = `${name}: please set up payments in order to receive orders.`
  await page.goto('/orders/active')
  await expect(banner).toHaveText(words)
  await page.reload()
  await expect(banner).toBeVisible()
  expect(await shifted()).toBeLessThan(0.01)
  const beyond = await page.evaluate(() => {
    const { scrollHeight, clientHeight } = document.documentElement
    return scrollHeight - clientHeight
  })
  expect(beyond).toBe(0)
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    expect(await violationsOf(page, `section[aria-label="${name}"]`), colorScheme).toEqual([])
  }
  await follow(page, '/settings/profile')
  await expect(page.getByRole('heading', { level: 1, name: 'Profile' })).toBeVisible()
  await expect(banner).toHaveText(words)

  await changeAsAdmin(dataDir, (statements) =>
    setOnboarded(statements, { merchantKey: shop.key, isOnboarded: true }),
  )
  const asked = page.waitForResponse(/\/payments\/stripe$/)
  await page.reload()
  expect((await asked).status()).toBe(200)
  await expect(banner).toHaveCount(0)
})

test.describe('as browsers open it', () => {
  // A worker that the test's browser refuses would be said in the console.
  test.use({ serviceWorkers: 'allow' })

  test('with nothing published the page asks for no document, and its console stays empty', async ({
    openDesk,
    ownShop,
  }) => {
    const page = await openDesk(ownShop.owner)
    const asked: string[] = []
    const said: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    page.on('console', (message) => said.push(message.text()))
    await openOrders(page)
    // Both banners come at once, and this one asks in any case.
    await expect.poll(() => asked.filter((path) => path.endsWith('/payments/stripe'))).toHaveLength(1)
    expect(asked.filter((path) => path.startsWith('/v1/documents'))).toEqual([])
    expect(said).toEqual([])
  })
})

test('CONT-001 CONT-002 CONT-003 GAP-26 published news are a banner whose message opens in a dialog, as text', async ({
  ownServer: { url, dataDir },
  openDesk,
}) => {
  const text = 'Holiday shipping cut-offs are out'
  await changeAsAdmin(dataDir, (statements) =>
    publishDocument(statements, {
      name: news,
      text,
      title: 'Holiday cut-offs',
      message: 'Ground: <b>December 18</b>',
      color: '#008080',
    }),
  )
  const page = await openDesk('owner@demo.test', { baseURL: url })
  await page.goto('/orders/active')
  const banner = page.getByRole('region', { name: 'News' })
  await expect(banner.getByText(text, { exact: true })).toBeVisible()
  await expect(banner).toHaveCSS('background-color', 'rgb(0, 128, 128)')
  await expect(banner).toHaveCSS('color', 'rgb(255, 255, 255)')
  await banner.getByRole('button', { name: 'Read more' }).click()
  await expect(dialog(page, 'Holiday cut-offs').getByText('Ground: <b>December 18</b>')).toBeVisible()
  await page.keyboard.press('Escape')
  await banner.getByRole('button', { name: 'Dismiss the news' }).click()
  await expect(banner).toHaveCount(0)
  const asked = page.waitForResponse(/\/v1\/documents\/merchant_dashboard_news$/)
  await page.reload()
  await asked
  await expect(banner).toHaveCount(0)
})
