import type { Page } from '@playwright/test'
import { basic } from '../../server/seed/calls.ts'
import { expect } from '../desk.ts'
import type { Outside } from '../outside.ts'

/** A link as the marketplace requests it and sends its signed-in merchant to it. */
export async function linkFor(outside: Outside, user: string, merchant = 'demo'): Promise<URL> {
  const { url } = await outside.call('POST /marketplace/v1/handover', {
    as: basic('marketplace:marketplace'),
    body: { user, merchant },
  })
  return new URL(url)
}

/** The same link to another page, or through another address of the server. */
export function leadingTo(link: URL, path: string, base = link.origin): string {
  const address = new URL(path, base)
  for (const [name, value] of link.searchParams) address.searchParams.set(name, value)
  return address.href
}

export const tokenOf = (link: URL): string => link.searchParams.get('jwt') ?? ''

export const storedToken = (page: Page): Promise<string | null> =>
  page.evaluate(() => localStorage.getItem('jwt'))

/** The merchant of the browser's session. A page that is live for two seconds adds a cookie of its own. */
export async function storedMerchant(page: Page): Promise<string | undefined> {
  const cookies = await page.context().cookies()
  return cookies.find(({ name }) => name === 'tmk')?.value
}

export const noSession = { cookies: [], origins: [] }

/** The id of the stored session. It stays the same when the token is renewed. */
export async function storedSession(page: Page): Promise<string> {
  const claims = Buffer.from((await storedToken(page))?.split('.')[1] ?? '', 'base64url').toString()
  return (JSON.parse(claims) as { jti: string }).jti
}

/** The server's e-mail for the user of the browser's stored session; undefined when the session has ended. */
export async function signedInAs(page: Page): Promise<string | undefined> {
  return userOf(page, await storedToken(page))
}

export async function userOf(page: Page, token: string | null): Promise<string | undefined> {
  const answer = await page.request.get('/a/v2/sessions', { headers: { authorization: `Bearer ${token}` } })
  return answer.ok() ? ((await answer.json()) as { user: { email: string } }).user.email : undefined
}

export async function expectAtOrders(page: Page, store = 'Harbor Wine & Spirits'): Promise<void> {
  await expect(page).toHaveURL(/\/orders\/active$/)
  await expect(page.getByRole('banner').getByText(store)).toBeVisible()
  await expect(page.getByRole('heading', { level: 1, name: 'Active' })).toBeVisible()
}

export async function expectSignInForm(page: Page, problem: string): Promise<void> {
  await expect(page).toHaveURL(/\/login$/)
  await expect(page.getByRole('alert')).toHaveText(
    `${problem} Open a new link, or sign in with your password.`,
  )
  await expect(page.getByLabel('Email')).toBeFocused()
  expect(await storedToken(page)).toBeNull()
}

export const notValid = 'This sign-in link is not valid.'
export const wasUsed = 'This sign-in link was used already. Each link works once.'
export const hasExpired = 'This sign-in link has expired. Each link works for one minute.'
