import { openBadGateway } from '../servers/bad-gateway.ts'
import { openDatabase } from '../database.ts'
import { dialog, expect, test, toast } from '../desk.ts'
import { expectAtOrders, leadingTo, linkFor, signedInAs, storedSession, storedToken } from './sign-in-link.ts'

test.use({ person: null })

const redeeming = 'POST /a/v2/sessions/handover'

test('on a slow connection the page says that it signs in, on a wide screen and on a phone, and stores nothing before the answer', async ({
  page,
  outside,
  cable,
  shop,
}) => {
  const link = await linkFor(outside, shop.owner, shop.key)
  cable.holdAnswers(redeeming)
  const asked = page.waitForRequest((request) => request.url().endsWith('/handover'))
  await page.goto(leadingTo(link, '/orders/completed', cable.url), { waitUntil: 'commit' })
  await asked
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 844 })
    await expect(page.getByRole('status').getByText('Signing you in')).toBeAttached()
  }
  await expect(page).toHaveURL(`${cable.url}/orders/completed`)
  expect(await storedToken(page)).toBeNull()
  cable.mend()
  await expect(page.getByRole('heading', { level: 1, name: 'Completed' })).toBeVisible()
  await expect(page).toHaveURL(`${cable.url}/orders/completed`)
})

test('a link whose answer is lost with the connection works at the next try', async ({
  page,
  outside,
  cable,
  dataDir,
  ownShop,
}) => {
  const link = await linkFor(outside, ownShop.owner, ownShop.key)
  cable.holdAnswers(redeeming)
  await page.goto(leadingTo(link, '/', cable.url))
  const database = await openDatabase(dataDir)
  await expect
    .poll(
      async () =>
        (
          await database.query(
            `select 1 from one_time_tokens t join users u using (user_id) where u.email = $1 and used_at is not null`,
            [ownShop.owner],
          )
        ).rows.length,
    )
    .toBe(1)
  await database.end()
  cable.cut()
  await expect(page.getByRole('heading', { name: 'The sign-in is not finished' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Try Again' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Try Again' })).toBeFocused()
  cable.mend()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('banner').getByText(ownShop.name)).toBeVisible()
  await expect(page).toHaveURL(/\/orders\/active$/)
})

test('a server that does not answer uses up no link and no session: both work at the next try', async ({
  openDesk,
  outside,
  url,
  shop,
}) => {
  const gateway = await openBadGateway(url, 502)
  try {
    const page = await openDesk(shop.owner, { baseURL: gateway.url })
    const link = await linkFor(outside, shop.owner, shop.key)
    const former = await page.goto('/terms').then(() => storedSession(page))
    gateway.fail(redeeming)
    await page.goto(leadingTo(link, '/orders/completed', gateway.url))
    await expect(page.getByRole('heading', { name: 'The sign-in is not finished' })).toBeVisible()
    await expect(page.getByText('This browser is signed in as before.')).toBeVisible()
    expect(await storedSession(page)).toBe(former)
    gateway.mend()
    await page.getByRole('button', { name: 'Try Again' }).click()
    await expect(toast(page, 'Signed in as Ada Marsh.')).toBeVisible()
    await expect(page).toHaveURL(`${gateway.url}/orders/completed`)
    expect(await storedSession(page)).not.toBe(former)
    await page.close()
  } finally {
    await gateway.remove()
  }
})

test('without an answer the clerk can continue as before, whether or not the link was redeemed', async ({
  openDesk,
  outside,
  url,
  shop,
}) => {
  const gateway = await openBadGateway(url, 502)
  try {
    const page = await openDesk('member@demo.test', { baseURL: gateway.url })
    for (const failing of [redeeming, 'GET /a/v2/sessions']) {
      const link = await linkFor(outside, shop.owner, shop.key)
      gateway.fail(failing)
      await page.goto(leadingTo(link, '/', gateway.url))
      await expect(page.getByRole('heading', { name: 'The sign-in is not finished' })).toBeVisible()
      gateway.mend()
      await page.getByRole('button', { name: 'Go On Without the Link' }).click()
      await expectAtOrders(page)
      expect(await signedInAs(page)).toBe('member@demo.test')
    }
    await page.close()
  } finally {
    await gateway.remove()
  }
})

test('when the connection returns after the link was redeemed, the question follows', async ({
  openDesk,
  outside,
  url,
  shop,
}) => {
  const gateway = await openBadGateway(url, 502)
  try {
    const page = await openDesk('member@demo.test', { baseURL: gateway.url })
    const link = await linkFor(outside, shop.owner, shop.key)
    gateway.fail('GET /a/v2/sessions')
    await page.goto(leadingTo(link, '/', gateway.url))
    await expect(page.getByRole('heading', { name: 'The sign-in is not finished' })).toBeVisible()
    gateway.mend()
    await page.getByRole('button', { name: 'Try Again' }).click()
    await expect(dialog(page, 'Sign in as Ada Marsh?')).toBeVisible()
    await page.close()
  } finally {
    await gateway.remove()
  }
})
