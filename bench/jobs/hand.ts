import type { BrowserContext, Locator, Page } from '@playwright/test'
import { typeAsScanner } from '../../e2e/fields.ts'

export const button = (page: Page | Locator, name: string | RegExp) =>
  page.getByRole('button', { name, exact: true }).first()
export const dialog = (page: Page, name: string) => page.getByRole('dialog', { name, exact: true })

/** Waits for the focus, which tells a clerk that the next key counts. */
export async function focused(target: Locator): Promise<void> {
  await target.and(target.page().locator(':focus')).waitFor()
}

/** Resolves once the page has settled, has fetched the parts for the next press and listens to a scanner. */
export async function settled(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const find = () =>
      performance.getEntriesByType('resource').find(({ name }) => /\/assets\/idle-.*\.js/.test(name))
    const last = await new Promise<string>((resolve) => {
      const look = (): void => {
        const found = find()
        if (found) resolve(found.name)
      }
      new PerformanceObserver(look).observe({ type: 'resource', buffered: true })
    })
    // The page's own import of it was first, and so has started it.
    await import(last)
  })
}

/** The presses of one way through a job. */
export interface Presses {
  readonly mouse: number
  readonly keys: number
  readonly scans: number
  /** Text that is no press: an address, a number. */
  readonly typed: readonly string[]
}

/** What the page itself has felt, by trusted events, so that no press of ours is left out. */
export interface Felt {
  mouse: number
  keys: number
}

const modifiers = ['Shift', 'Control', 'Alt', 'Meta']

/** Counts every press that reaches the context's pages; a shortcut with a modifier is one. */
export async function feelPresses(context: BrowserContext): Promise<Felt> {
  const felt: Felt = { mouse: 0, keys: 0 }
  await context.exposeBinding('feel', (_source, kind: keyof Felt) => felt[kind]++)
  await context.addInitScript((names: readonly string[]) => {
    const { feel } = globalThis as unknown as { feel: (kind: string) => void }
    addEventListener('pointerdown', ({ isTrusted }) => isTrusted && feel('mouse'), true)
    addEventListener(
      'keydown',
      ({ isTrusted, repeat, key }) => {
        if (isTrusted && !repeat && !names.includes(key)) feel('keys')
      },
      true,
    )
  }, modifiers)
  return felt
}

/** A clerk's hand, which counts what it does. */
export interface Hand {
  readonly page: Page
  click(target: Locator): Promise<void>
  /** One key, or a shortcut such as "Shift+P". */
  press(key: string): Promise<void>
  /** Types what the job is about, into the field that has the focus. */
  type(text: string): Promise<void>
  /** A hand scanner types the code, with Enter for each control character and after the last one. */
  scan(code: string): Promise<void>
  presses(): Presses
}

export function handOn(page: Page, felt: Felt): Hand {
  const done = { mouse: 0, keys: 0, scans: 0, typed: [] as string[] }
  let scanned = 0
  return {
    page,
    async click(target) {
      done.mouse++
      await target.click()
    },
    async press(key) {
      done.keys++
      await page.keyboard.press(key)
    },
    async type(text) {
      done.typed.push(text)
      await page.keyboard.type(text)
    },
    async scan(code) {
      const text = `${code.replaceAll(/\p{Cc}/gu, '\n').trimEnd()}\n`
      done.scans++
      scanned += text.length
      await typeAsScanner(page, text)
    },
    presses() {
      const letters = done.typed.reduce((sum, text) => sum + text.length, scanned)
      if (felt.mouse !== done.mouse || felt.keys !== done.keys + letters)
        throw new Error(
          `The page felt ${felt.mouse} clicks and ${felt.keys} keys; the hand counted ${done.mouse}, and ${done.keys} with ${letters} letters`,
        )
      return done
    },
  }
}
