import type { Page, Request } from '@playwright/test'
import { expect, follow, followToOrder, openNewest, rowOf, test } from '../desk.ts'
import { askToAccept, stored } from '../orders/deciding.ts'
import { password, signIn } from '../people.ts'
import { selectionBar } from '../orders/selection.ts'
import { storedMerchant } from './sign-in-link.ts'

test.use({ person: null })

async function fillIn(page: Page, email: string, secret = password): Promise<void> {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(secret)
  await page.getByRole('button', { name: 'Sign In' }).click()
}

async function enter(page: Page, email: string, url = ''): Promise<void> {
  await page.goto(`${url}/login`)
  await fillIn(page, email)
  await expect(page).toHaveURL(/\/orders\/active$/)
}

const storedToken = (page: Page) => page.evaluate(() => localStorage.getItem('jwt'))
const storedKey = (page: Page) => page.evaluate(() => document.cookie)

async function expectSignedOut(page: Page): Promise<void> {
  await expect(page).toHaveURL(/\/login$/)
  await expect(page.getByRole('button', { name: 'Sign In' })).toBeVisible()
  // A sign-out loads the page anew, which may be under way.
  await expect(async () => {
    expect(await storedToken(page)).toBeNull()
    expect(await storedKey(page)).toBe('')
  }).toPass()
}

test('ROUTE-002 ROUTE-003 SHELL-001 VALID-001 VALID-002 VALID-013 AUTH-004 AUTH-021 ERR-001 without a token / leads to the sign-in form; it names wrong fields and a wrong password, keeps the typed text, and tells the data layer the roles of a sign-in', async ({
  page,
}) => {
  await page.goto('/')
  await expect(page).toHaveURL(/\/login$/)
  await expect(page).toHaveTitle('Retailer')
  await expect(page.getByRole('heading', { name: 'Sign in to the order desk' })).toBeVisible()
  await expect(page.getByLabel('Email')).toBeFocused()
  await expect(page.getByLabel('Password', { exact: true })).toHaveAttribute('type', 'password')

  await page.getByRole('button', { name: 'Sign In' }).click()
  await expect(page.getByText('Please enter your email', { exact: true })).toBeVisible()
  await expect(page.getByText('Please enter your password', { exact: true })).toBeVisible()
  await expect(page.getByLabel('Email')).toBeFocused()
  await fillIn(page, 'owner at demo', '')
  await expect(page.getByText('Please enter a valid email address', { exact: true })).toBeVisible()
  await expect(page.getByText('Please enter your password', { exact: true })).toBeVisible()
  await expect(page.getByLabel('Email')).toHaveAccessibleDescription('Please enter a valid email address')

  await fillIn(page, 'manager@demo.test', 'not-the-password')
  await expect(page.getByRole('alert')).toHaveText('The email or password you entered is incorrect.')
  await expect(page).toHaveURL(/\/login$/)
  await expect(page.getByLabel('Email')).toHaveValue('manager@demo.test')
  expect(await storedToken(page)).toBeNull()
  await fillIn(page, 'manager@demo.test')
  await expect(page).toHaveURL(/\/orders\/active$/)
  const events = await page.evaluate(
    () => (globalThis as { dataLayer?: Record<string, unknown>[] }).dataLayer ?? [],
  )
  // Neither the user nor the refused sign-in.
  expect(events.filter(({ event }) => event === 'Login')).toEqual([
    { event: 'Login', roles: 'merch.manager' },
  ])
  expect(JSON.stringify(events)).not.toContain('@')
})

test('ROUTE-001 ROUTE-004 ROUTE-005 AUTH-001 AUTH-002 AUTH-017 API-016 SHELL-005 a sign-in by keyboard, with a look at the password, leads through / to the orders, as do / and /login later; the merchant’s details are fetched by each new page alone', async ({
  page,
}) => {
  let asked = 0
  page.on('request', (request) => {
    if (request.method() === 'GET' && new URL(request.url()).pathname === '/c/v2/merchants/demo') asked++
  })
  const name = page.getByRole('banner').getByText('Harbor Wine & Spirits')
  await page.goto('/login')
  await expect(page.getByLabel('Email')).toBeFocused()
  expect(asked).toBe(0)
  await page.keyboard.type('owner@demo.test')
  await page.keyboard.press('Tab')
  await page.keyboard.type(password)
  await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: 'Show the password' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByLabel('Password', { exact: true })).toHaveAttribute('type', 'text')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/orders\/active$/)
  await expect(name).toBeVisible()
  expect(asked).toBe(1)
  expect(await storedToken(page)).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/)
  expect(await storedMerchant(page)).toBe('demo')
  // The company's form alone asks again, because somebody else may have saved since.
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Inventory' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Inventory' })).toBeVisible()
  expect(asked).toBe(1)
  for (const [path, times] of [
    ['/', 2],
    ['/login', 3],
  ] as const) {
    await page.goto(path)
    await expect(page).toHaveURL(/\/orders\/active$/)
    await expect(name).toBeVisible()
    expect([path, asked]).toEqual([path, times])
  }
})

test.describe('without a merchant', () => {
  test('a person without a merchant reads so and can sign out', async ({ page }) => {
    await page.goto('/login')
    await fillIn(page, 'nobody@demo.test')
    await expect(
      page.getByText('Your account is not linked to a merchant yet. Please contact Thirstie Support.'),
    ).toBeVisible()
    await page.getByRole('button', { name: 'Sign Out' }).click()
    await expectSignedOut(page)
  })
})

test('AUTH-023 AUTH-022 a sign-out clears the storage, and the next person sees nothing of the last', async ({
  page,
  outside,
  shop,
}) => {
  await enter(page, shop.owner)
  const order = await outside.order(shop.key)
  await openNewest(page)
  await rowOf(page, order).getByRole('checkbox').click()
  await expect(selectionBar(page)).toBeVisible()
  const token = await storedToken(page)
  await page.getByRole('button', { name: 'Settings' }).click()
  await page.getByRole('menuitem', { name: 'Sign Out' }).click()
  await expectSignedOut(page)
  await expect(async () =>
    expect(await page.evaluate(() => sessionStorage.getItem('cellarhand-selection'))).toBeNull(),
  ).toPass()
  const stale = await page.request.get(`/m/v2/merchant/${shop.key}/orders/count`, {
    headers: { authorization: `Bearer ${token}` },
  })
  expect(stale.status()).toBe(401)
  await fillIn(page, 'owner@other.test')
  await expect(page.getByRole('banner').getByText('Mission Bottle Shop')).toBeVisible()
  await expect(page.getByRole('row').nth(1)).toBeVisible()
  await expect(page.getByText(order.id)).toHaveCount(0)
  expect(await storedMerchant(page)).toBe('other')
})

test('a sign-out shows the sign-in form once, after the page load that would wipe what somebody typed', async ({
  page,
}) => {
  await enter(page, 'member@demo.test')
  await page.getByRole('link', { name: 'Completed' }).click()
  await expect(page).toHaveURL(/completed$/)
  // The page load waits for a change to the decisions that wait on this device.
  await page.evaluate(() => {
    document.documentElement.dataset['before'] = 'the sign-out'
    void navigator.locks.request('cellarhand-decisions', () => new Promise(() => {}))
  })
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  await page.getByRole('button', { name: 'Settings' }).click()
  await page.getByRole('menuitem', { name: 'Sign Out' }).click()
  await page.goBack()
  await expect(page.getByLabel('Email')).toBeVisible()
  expect(await page.locator('html').getAttribute('data-before')).toBeNull()
  // The page that waits belongs to no shop any more.
  expect(asked).not.toContain('/c/v2/merchants/none')
})

test('the browser’s Back during the page load of a sign-out leads to the sign-in form, not to a dead page', async ({
  page,
  cable,
}) => {
  await enter(page, 'member@demo.test', cable.url)
  await page.getByRole('link', { name: 'Completed' }).click()
  await expect(page).toHaveURL(/completed$/)
  cable.holdAnswers('GET /orders')
  await page.getByRole('button', { name: 'Settings' }).click()
  const load = page.waitForRequest((request) => request.isNavigationRequest())
  // A click waits for the page load that it starts, and this one is held.
  await page.getByRole('menuitem', { name: 'Sign Out' }).click({ noWaitAfter: true })
  await load
  const next = page.waitForRequest((request) => request.isNavigationRequest())
  // It ends the load, and then waits for the next one, which is no answer to it.
  const back = page.goBack().catch(() => undefined)
  await next
  cable.mend()
  await back
  await expect(page.getByLabel('Email')).toBeVisible()
})

test('AUTH-027 after a session ended on the server, the next call leads to /login with the storage cleared', async ({
  page,
  outside,
}) => {
  await enter(page, 'member@demo.test')
  await expect(page.getByRole('status').getByText('Live', { exact: true })).toBeAttached()
  const token = await storedToken(page)
  await outside.call('POST /a/v2/logout', { as: `Bearer ${token}`, body: {} })
  // The event stream may tell the page first, and the link is gone then.
  await page.evaluate(() => document.querySelector<HTMLElement>('a[href="/orders/completed"]')?.click())
  await expectSignedOut(page)
  // Each of the page's calls is refused, and none of them takes the word back.
  await expect(page.getByRole('status').filter({ hasText: 'Your session has ended.' })).toBeVisible()
})

// Each with a page of its own: the decision may be on its way when the session ends, and its news would be in the way.
for (const isSame of [true, false])
  test(`after a session that ended under a decision ${isSame ? 'its person comes back to the order' : 'another person comes to the list'}`, async ({
    page,
    outside,
    shop,
  }) => {
    const order = await outside.order(shop.key)
    await enter(page, shop.owner)
    await followToOrder(page, order)
    await askToAccept(page)
    await outside.call('POST /a/v2/logout', { as: `Bearer ${await storedToken(page)}`, body: {} })
    // The event stream may tell the page first, and the dialog is gone then.
    await page.keyboard.press('Enter')
    await expectSignedOut(page)
    await expect(page.getByRole('status').filter({ hasText: 'Your session has ended.' })).toBeVisible()
    await fillIn(page, isSame ? shop.owner : 'member@demo.test')
    await expect(page).toHaveURL(isSame ? new RegExp(`/orders/view/${order.id}$`) : /\/orders\/active$/)
    if (!isSame) expect(await stored(outside, order)).toMatchObject({ version: order.version })
  })

test('AUTH-018 AUTH-019 AUTH-020 a stored token is checked on load, and nobody is sent away before the answer', async ({
  page,
  url,
  context,
}) => {
  const { token, storage } = await signIn(url, 'manager@demo.test')
  await context.addCookies(storage.cookies)
  await page.goto('/login')
  await page.evaluate((jwt) => localStorage.setItem('jwt', jwt), token)
  const line = await context.newCDPSession(page)
  await line.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 1_000,
    downloadThroughput: -1,
    uploadThroughput: -1,
  })
  const tokenLogin = page.waitForRequest(
    (request) => request.method() === 'GET' && request.url().endsWith('/a/v2/sessions'),
  )
  await page.goto('/orders/on-hold', { waitUntil: 'commit' })
  await expect(page.getByRole('status').getByText('Signing you in')).toBeAttached()
  expect((await tokenLogin).headers()['authorization']).toBe(`Bearer ${token}`)
  await expect(page).toHaveURL(/\/orders\/on-hold$/)
  await expect(page.getByRole('banner').getByText('Harbor Wine & Spirits')).toBeVisible()
})

test('ROUTE-036 an expired token counts as none, and one that the server does not know is asked about: a logged-in page leads through / to /login', async ({
  page,
}) => {
  await page.goto('/login')
  for (const [jwt, asked] of [
    [unsigned({ exp: 1_600_000_000 }), 0],
    [unsigned({ exp: 4_000_000_000 }), 1],
  ] as const) {
    await page.evaluate((token) => {
      localStorage.setItem('jwt', token)
      document.cookie = 'tmk=demo; path=/'
    }, jwt)
    const tokenLogins: string[] = []
    const note = (request: Request) => {
      if (request.url().endsWith('/a/v2/sessions')) tokenLogins.push(request.url())
    }
    page.on('request', note)
    await page.goto('/orders/completed')
    await expectSignedOut(page)
    page.off('request', note)
    expect(tokenLogins, 'the times that the server was asked about the token').toHaveLength(asked)
  }
})

test.describe('with a session', () => {
  test.use({ person: 'member@demo.test' })

  test('ROUTE-013 ROUTE-014 /orders has four sub-routes, and every other path under it shows active', async ({
    page,
  }) => {
    await page.goto('/orders')
    await expect(page).toHaveURL(/\/orders\/active$/)
    for (const [path, name] of [
      ['completed', 'Completed'],
      ['on-hold', 'On hold'],
      ['cancelled', 'Cancelled'],
      ['active', 'Active'],
    ] as const) {
      await follow(page, `/orders/${path}`)
      await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
      await expect(page).toHaveURL(new RegExp(`/orders/${path}$`))
    }
    for (const path of [
      '/orders/',
      '/orders/on_hold',
      '/orders/rejected',
      '/orders/active/all',
      '/orders/view/abc',
      '/orders/view/1000x',
    ]) {
      await follow(page, '/orders/completed')
      await expect(page.getByRole('heading', { level: 1, name: 'Completed' })).toBeVisible()
      await follow(page, path)
      await expect(page.getByRole('heading', { level: 1, name: 'Active' })).toBeVisible()
      await expect(page).toHaveURL(/\/orders\/active$/)
    }
    await page.goto('/orders/view/1000x')
    await expect(page).toHaveURL(/\/orders\/active$/)
  })

  test('ROUTE-015 /orders/view/{id} opens the order, and the order stays in the address', async ({
    page,
    outside,
  }) => {
    const order = await outside.order('demo')
    await page.goto(`/orders/view/${order.id}`)
    await expect(page.getByRole('heading', { level: 1, name: `#${order.id}` })).toBeVisible()
    await expect(page.getByRole('heading', { name: 'Products' })).toBeVisible()
    await page.reload()
    await expect(page.getByRole('heading', { level: 1, name: `#${order.id}` })).toBeVisible()
  })

  test('ROUTE-032 ROUTE-033 ROUTE-034 SHELL-009 an unknown path, another merchant’s order and an unknown one show the 404 page, which has the footer and leads home', async ({
    page,
    outside,
  }) => {
    const notFound = page.getByRole('heading', { name: 'Error Code: 404' })
    await page.goto('/no/such/page')
    await expect(notFound).toBeVisible()
    await expect(page.getByRole('contentinfo')).toContainText(/© \d{4} Thirstie/)
    const theirs = await outside.order('other')
    for (const id of [theirs.id, '99999999']) {
      await page.getByRole('link', { name: 'Go Back Home' }).click()
      await expect(page).toHaveURL(/\/orders\/active$/)
      await expect(notFound).toHaveCount(0)
      await follow(page, `/orders/view/${id}`)
      await expect(notFound).toBeVisible()
    }
  })
})

test('ROUTE-031 ROUTE-035 GAP-35 without a token an unknown path, the reports and the developers page lead to /login', async ({
  page,
}) => {
  for (const path of ['/no/such/page', '/reports', '/developers']) {
    await page.goto(path)
    await expectSignedOut(page)
  }
})

function unsigned(claims: object): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  return `${part({ alg: 'HS256' })}.${part({ sub: 'somebody', ...claims })}.${'a'.repeat(43)}`
}
