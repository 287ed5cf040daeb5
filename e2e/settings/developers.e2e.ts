import { violationsOf } from '../screens/axe.ts'
import { expect, test } from '../desk.ts'

test.describe('with a token', () => {
  test.use({ person: 'nobody@demo.test' })

  test('ROUTE-031 DEV-001 DEV-002 GAP-28 /developers fills the window with the documentation of the API, under a policy without exceptions', async ({
    openDesk,
    cable,
  }) => {
    const page = await openDesk('nobody@demo.test', { baseURL: cable.url })
    const foreign: string[] = []
    page.on('request', (request) => {
      if (!request.url().startsWith(cable.url)) foreign.push(request.url())
    })
    const document = page.waitForResponse((response) => response.url().endsWith('/docs/merchant-api'))
    cable.holdAnswers('GET /docs/merchant-api')
    await page.goto('/developers', { waitUntil: 'commit' })
    const waiting = page.getByText('Loading the documentation')
    await expect(waiting).toBeVisible()
    cable.mend()
    const policy = await (await document).headerValue('content-security-policy')
    expect(policy).toContain("script-src 'self'; style-src 'self';")
    expect(policy).not.toMatch(/unsafe|nonce|sha256|https?:/)

    const docs = page.frameLocator('iframe[title="Merchant API documentation"]')
    await expect(docs.getByRole('heading', { level: 1, name: /merchant API$/ })).toBeVisible()
    await expect(waiting).toHaveCount(0)
    for (const chapter of [
      'Authentication',
      'Idempotency',
      'Errors',
      'Webhooks',
      'Versions',
      'A worked example',
    ])
      await expect(docs.getByRole('heading', { level: 1, name: chapter, exact: true })).toBeAttached()
    const who = docs.getByRole('cell', { name: 'the marketplace' }).first()
    expect(
      await who.evaluate((cell) => {
        const words = cell.ownerDocument.createRange()
        words.selectNodeContents(cell)
        return words.getClientRects().length
      }),
      'no word of a table is broken',
    ).toBeLessThanOrEqual(2)
    await expect(docs.getByText('Sign in with e-mail and password').first()).toBeAttached()
    const box = await page.locator('iframe').boundingBox()
    expect(box?.width).toBe(1440)
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBe(900)
    expect(foreign).toEqual([])

    await page.getByRole('link', { name: /go to the desk/ }).click()
    await expect(page).toHaveURL(/\/orders/)
  })
})

test('ROUTE-021 the menu and the settings lead to the developers page', async ({ page }) => {
  await page.goto('/settings/profile')
  await page.getByRole('link', { name: 'Developers Information', exact: true }).click()
  await expect(page).toHaveURL(/\/developers$/)
  await page.getByRole('link', { name: /go to the desk/ }).click()
  await page.getByRole('button', { name: 'Settings' }).click()
  await page.getByRole('menuitem', { name: 'Developer', exact: true }).click()
  await expect(page).toHaveURL(/\/developers$/)
})

for (const colorScheme of ['light', 'dark'] as const)
  test(`axe finds nothing on the documentation of the API once it has loaded (${colorScheme})`, async ({
    openDesk,
  }) => {
    const page = await openDesk('nobody@demo.test', { colorScheme })
    await page.goto('/docs/merchant-api')
    await expect(page.getByRole('heading', { level: 1, name: /merchant API$/ })).toBeVisible()
    await expect(page.getByRole('heading', { level: 1, name: 'A worked example' })).toBeAttached()
    expect(await violationsOf(page)).toEqual([])
  })
