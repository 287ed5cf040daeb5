import type { Locator, Page } from '@playwright/test'
import { expect, openOrders } from '../desk.ts'
import { runUntil } from '../page-time.ts'

/** Resolves once the worker has kept the whole build. */
export async function buildKept(page: Page): Promise<void> {
  await expect
    .poll(
      () =>
        page.evaluate(async () => {
          const registration = await navigator.serviceWorker.getRegistration('/orders')
          return registration?.active?.state
        }),
      LATE,
    )
    .toBe('activated')
}

/** Resolves once each address that opens without a line has its worker; that of the orders is the first one. */
export async function everyPageKept(page: Page): Promise<void> {
  const active = () =>
    page.evaluate(async () => {
      const all = await navigator.serviceWorker.getRegistrations()
      return all.filter(({ active: worker }) => worker?.state === 'activated').length
    })
  await expect.poll(active, LATE).toBe(5)
}

/** The name of the sealed record that the device has now; each write has another one. */
function sealedRecord(page: Page, name: string): Promise<string> {
  return page.evaluate(async (wanted) => {
    const known = await indexedDB.databases()
    if (!known.some((each) => each.name === 'cellarhand-desk')) return ''
    return new Promise<string>((resolve, reject) => {
      const opening = indexedDB.open('cellarhand-desk')
      opening.onerror = () => reject(new Error('The store could not be opened'))
      opening.onsuccess = () => {
        const asked = opening.result.transaction('sealed').objectStore('sealed').get(wanted)
        asked.onsuccess = () => {
          const found = asked.result as { iv: Uint8Array } | undefined
          opening.result.close()
          resolve(found ? found.iv.join(' ') : '')
        }
      }
    })
  }, name)
}

export const deskRecord = (page: Page, name = 'desk'): Promise<string> => sealedRecord(page, name)

/** The decisions that the device keeps, of every person, as a script of the same browser can open them. */
export function keptDecisions(page: Page): Promise<{ orderId: string; state: string }[]> {
  return page.evaluate(async () => {
    const wait = <R>(asked: IDBRequest<R>): Promise<R> =>
      new Promise((resolve, reject) => {
        asked.onsuccess = () => resolve(asked.result)
        asked.onerror = () => reject(new Error('The store could not be read'))
      })
    const database = await wait(indexedDB.open('cellarhand-desk'))
    const get = (name: IDBValidKey): Promise<unknown> =>
      wait(database.transaction('sealed').objectStore('sealed').get(name))
    const names = await wait(database.transaction('sealed').objectStore('sealed').getAllKeys())
    const material = (await get('material')) as CryptoKey
    const bytes = new TextEncoder()
    const found: { orderId: string; state: string }[] = []
    for (const name of names.filter((each) => String(each).startsWith('decisions '))) {
      const sealed = (await get(name)) as { iv: Uint8Array<ArrayBuffer>; content: ArrayBuffer }
      const key = await crypto.subtle.deriveKey(
        {
          name: 'HKDF',
          hash: 'SHA-256',
          salt: bytes.encode(String(name).slice('decisions '.length)),
          info: bytes.encode('person'),
        },
        material,
        { name: 'AES-GCM', length: 256 },
        false,
        ['decrypt'],
      )
      const plain = await crypto.subtle.decrypt({ name: 'AES-GCM', iv: sealed.iv }, key, sealed.content)
      found.push(...(JSON.parse(new TextDecoder().decode(plain)) as typeof found))
    }
    database.close()
    return found.map(({ orderId, state }) => ({ orderId, state }))
  })
}

/**
 * Resolves once the device has kept what the page shows; `stir` changes something that the page shows. The first write
 * may have been under way before, so the second one counts. The answers of other pages are written after it, so they are
 * kept by the third.
 */
export async function shownKept(page: Page, stir: () => Promise<unknown>, writes = 2): Promise<void> {
  for (let write = 0; write < writes; write++) {
    const before = await deskRecord(page)
    await stir()
    await expect.poll(() => deskRecord(page)).not.toMatch(new RegExp(`^(${before})?$`))
  }
}

/** Opens the list with the build and the shown orders kept, ready for a line that breaks. */
export async function openKeptList(page: Page, stir: () => Promise<unknown>): Promise<void> {
  await openOrders(page)
  await buildKept(page)
  await page.reload()
  await openOrders(page)
  await shownKept(page, stir)
}

export async function pressSignOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Settings' }).click()
  await page.getByRole('menuitem', { name: 'Sign Out' }).click()
}

export const cutBand = (page: Page): Locator => page.getByRole('status').filter({ hasText: 'No connection.' })

/** Turns the page's time, which the test has installed, until the page has noticed a cut: twenty seconds of silence. */
export function noticeCut(page: Page): Promise<void> {
  return runUntil(page, () => expect(cutBand(page)).toBeVisible({ timeout: 200 }), 2_000)
}

export const waitingList = (page: Page, name = 'Not sent yet'): Locator => page.getByRole('region', { name })

/** The list is one line until it is opened. */
export async function openWaiting(page: Page, name?: string): Promise<Locator> {
  const list = waitingList(page, name)
  const line = list.getByRole('button').first()
  if ((await line.getAttribute('aria-expanded', LATE)) === 'false') await line.click()
  await expect(line).toHaveAttribute('aria-expanded', 'true')
  return list
}

/** A line that breaks for a moment is no news, so the desk says it late. */
export const LATE = { timeout: 60_000 }
