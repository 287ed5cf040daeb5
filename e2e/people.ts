import type { BrowserContext, BrowserContextOptions } from '@playwright/test'
import { basic } from '../server/seed/calls.ts'
import { outsideOf } from './outside.ts'

/** The password of every person of the demo, and of every person that a test adds. */
export const password = 'cellarhand-demo'

type Storage = Exclude<BrowserContextOptions['storageState'], string | undefined>

export interface SignedIn {
  readonly token: string
  /** As an Authorization header. */
  readonly bearer: string
  /** The browser's storage after a sign-in. */
  readonly storage: Storage
}

/** Signs in through the server's own call, so the token is as real as one from the form. */
export async function signIn(url: string, email: string): Promise<SignedIn> {
  const { token, user } = await outsideOf(url).call('POST /a/v2/sessions', {
    as: basic('dashboard:dashboard'),
    body: { email, password },
  })
  const key = user.aux_data.authorized_merchant
  const { hostname, origin } = new URL(url)
  const cookie = { name: 'tmk', value: key ?? '', domain: hostname, path: '/', sameSite: 'Lax' as const }
  return {
    token,
    bearer: `Bearer ${token}`,
    storage: {
      cookies: key === null ? [] : [{ ...cookie, expires: -1, httpOnly: false, secure: false }],
      origins: [{ origin, localStorage: [{ name: 'jwt', value: token }] }],
    },
  }
}

/**
 * Signs a person in to a browser before its first page. Playwright would open a page of its own to write the browser's
 * storage, which takes a quarter of a short test's time.
 */
export async function letIn(context: BrowserContext, url: string, email: string): Promise<void> {
  const { token, storage } = await signIn(url, email)
  await context.addCookies([...storage.cookies])
  await context.addInitScript(
    ({ jwt, origin }) => {
      // Only once: a test that signs out, or signs another person in, finds the storage as the product left it.
      // The frame of a PDF has no storage.
      if (globalThis.origin !== origin || self !== top || localStorage.getItem('let-in') !== null) return
      localStorage.setItem('let-in', 'yes')
      localStorage.setItem('jwt', jwt)
    },
    { jwt: token, origin: new URL(url).origin },
  )
}
