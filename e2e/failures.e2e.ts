import { openBadGateway } from './servers/bad-gateway.ts'
import { dialog, expect, openOrder, openOrders, test } from './desk.ts'
import { password, signIn } from './people.ts'

test('ERR-002 an answer that nobody can read is an "Unhandled Error", and what was typed stays', async ({
  browser,
  url,
}) => {
  const gateway = await openBadGateway(url)
  const context = await browser.newContext({ baseURL: gateway.url })
  try {
    const page = await context.newPage()
    gateway.fail('POST /a/v2/sessions')
    await page.goto('/login')
    await page.getByRole('textbox', { name: 'Email' }).fill('owner@demo.test')
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByRole('button', { name: 'Sign In' }).click()
    await expect(page.getByRole('alert')).toHaveText('Unhandled Error')
    await expect(page.getByLabel('Password', { exact: true })).toHaveValue(password)
  } finally {
    await context.close()
    await gateway.remove()
  }
})

test('ERR-007 a failure beside the work shows in its own place, without a message or an error page', async ({
  openDesk,
  url,
}) => {
  const gateway = await openBadGateway(url)
  try {
    gateway.fail('GET /a/v2/users/', 'GET /v1/documents/', 'GET /c/v2/merchants/demo/payments')
    const page = await openDesk('member@demo.test', { baseURL: gateway.url })
    await page.goto('/settings/profile')
    await expect(page.getByText('Your sessions could not be loaded.')).toBeVisible()
    await expect(page.getByText('Whether it is on could not be loaded.')).toBeVisible()
    await expect(page.getByRole('heading', { level: 2, name: 'Basic Information' })).toBeVisible()
    await expect(page.getByRole('status', { name: 'Messages' })).toBeEmpty()
    await page.close()
  } finally {
    await gateway.remove()
  }
})

test('ROUTE-015 an order is shown though its store cannot be loaded', async ({ openDesk, url, outside }) => {
  const order = await outside.order('demo')
  const gateway = await openBadGateway(url, 502)
  try {
    gateway.fail('GET /c/v2/merchants/demo')
    const page = await openDesk('member@demo.test', { baseURL: gateway.url })
    await openOrder(page, order)
    await expect(page.getByRole('heading', { level: 2, name: 'Products', exact: true })).toBeVisible()
  } finally {
    await gateway.remove()
  }
})

test('TEAM-016 the roles of each user are looked up by themselves, with what was said when that failed', async ({
  openDesk,
  url,
  shop,
  outside,
}) => {
  const gateway = await openBadGateway(url)
  try {
    const page = await openDesk(shop.owner, { baseURL: gateway.url })
    const { bearer } = await signIn(url, shop.owner)
    const invited = await Promise.all(
      ['ann', 'bea'].map(async (name) =>
        outside.call('POST /c/v2/merchants/{tmk}/users', {
          as: bearer,
          params: { tmk: shop.key },
          body: {
            email: `${name}-${crypto.randomUUID()}@example.test`,
            first_name: name,
            last_name: 'Role',
            roles: ['merch.user'],
          },
        }),
      ),
    )
    await page.goto('/settings/users')
    await expect(page.getByRole('button', { name: 'Edit ann Role' })).toBeVisible()
    const [ann, bea] = invited
    await outside.call('POST /a/v2/users/{id}/roles', {
      as: bearer,
      params: { id: ann?.id ?? '' },
      body: { roles: ['merch.manager'] },
    })
    gateway.fail(`GET /a/v2/users/${bea?.id}/roles`)
    await page.getByRole('button', { name: 'Edit ann Role' }).click()
    await expect(dialog(page, 'Edit ann Role')).toContainText('Has the role Manager now.')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Edit bea Role' }).click()
    await expect(dialog(page, 'Edit bea Role')).toContainText('Has the role Member now.')
    await expect(dialog(page, 'Edit bea Role')).toContainText('Unhandled Error')
    await page.close()
  } finally {
    await gateway.remove()
  }
})

test('API-001 every call of the desk goes to the API’s host', async ({ page, url }) => {
  const hosts = new Set<string>()
  page.on('request', (request) => {
    if (['fetch', 'xhr'].includes(request.resourceType())) hosts.add(new URL(request.url()).origin)
  })
  await openOrders(page)
  await page.goto('/settings/profile')
  await page.getByText('This one').waitFor()
  expect([...hosts]).toEqual([new URL(url).origin])
})

test('API-020 API-055 GAP-13 GAP-26 GAP-28 calls for payments, content and documentation go to the hosts in the settings', async ({
  page,
}) => {
  await page.addInitScript(() => {
    new MutationObserver(() => {
      const meta = document.querySelector<HTMLMetaElement>('meta[name="cellarhand-config"]')
      if (meta)
        meta.content = meta.content
          .replace('"payments_base":""', `"payments_base":"${location.origin}/pay"`)
          .replace('"content_base":""', `"content_base":"${location.origin}/content"`)
          .replace('"published":""', '"published":"merchant_dashboard_news"')
          .replace('"dev_docs_url":""', `"dev_docs_url":"${location.origin}/docs/merchant-api#elsewhere"`)
    }).observe(document, { childList: true, subtree: true })
  })
  const news = page.waitForRequest(/\/content\/v1\/documents\/merchant_dashboard_news$/)
  const account = page.waitForRequest(/\/pay\/v1\/merchant\/demo\/stripe$/)
  await page.goto('/settings/billing')
  expect(await (await news).headerValue('authorization')).toBeNull()
  expect(await (await account).headerValue('authorization')).toMatch(/^Bearer /)
  await page.goto('/developers')
  await expect(page.locator('iframe')).toHaveAttribute('src', /\/docs\/merchant-api#elsewhere$/)
})

test('TELE-007 the page reports a paper that the server failed to make, without its address', async ({
  openDesk,
  outside,
  url,
}) => {
  const gateway = await openBadGateway(url, 502)
  try {
    const order = await outside.order('demo')
    gateway.fail(`GET /m/v2/merchant/demo/orders/${order.id}/reports/`)
    const page = await openDesk('member@demo.test', { baseURL: gateway.url })
    await page.goto(`/orders/view/${order.id}`)
    const told = page.waitForRequest(/\/insights\/v1\/errors$/)
    await page.getByRole('button', { name: 'Print Packing Slip' }).click()
    expect((await told).postDataJSON()).toMatchObject({
      message: 'Error: GET /m/v2/merchant/{tmk}/orders/{id}/reports/packingslip answered 502 ',
    })
    await page.close()
  } finally {
    await gateway.remove()
  }
})
