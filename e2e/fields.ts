import type { Locator, Page } from '@playwright/test'
import { LOADING } from './desk.ts'

/**
 * Waits until the dialog on top takes keys. Until it has been painted, it drops them, and it gives the focus to one of
 * its parts then. Before that a frame may have taken the keys, until the dialog's own part was there.
 */
export async function dialogTakesKeys(page: Page): Promise<void> {
  const open = page.getByRole('dialog').filter({ hasNot: page.getByText(LOADING) })
  await open.last().locator(':focus').waitFor()
  await page.locator('#root[aria-hidden="true"]').waitFor({ state: 'attached' })
}

/** Empties a field of a dialog. Playwright does so with the Delete key. */
export async function emptyInDialog(field: Locator): Promise<void> {
  await dialogTakesKeys(field.page())
  await field.fill('')
}

interface Stretched {
  endStretch?: () => void
}

/** A busy machine stalls for longer than a scanner pauses (500 ms), which here starts to count after the last key. */
async function stretchPauses(page: Page): Promise<void> {
  await page.evaluate(() => {
    const { setTimeout: own } = window
    const pending = new Map<number, () => void>()
    const stretched = (act: () => void, ms?: number, ...given: unknown[]): number => {
      if (ms !== 500) return own(act, ms, ...given)
      const id = own(() => {
        pending.delete(id)
        act()
      }, 10_000)
      pending.set(id, act)
      return id
    }
    Object.assign(window, {
      setTimeout: stretched,
      endStretch: () => {
        Object.assign(window, { setTimeout: own })
        for (const [id, act] of pending) {
          clearTimeout(id)
          own(act, 500)
        }
      },
    })
  })
}

/** As a hand scanner types: no key waits for the page's answer to the one before, so that a slow machine makes no pause. */
export async function typeAsScanner(page: Page, text: string): Promise<void> {
  await stretchPauses(page)
  const session = await page.context().newCDPSession(page)
  const keys = [...text].map((character) =>
    character === '\n'
      ? { key: 'Enter', code: 'Enter', text: '\r', windowsVirtualKeyCode: 13 }
      : { key: character, text: character },
  )
  await Promise.all(
    keys.flatMap(({ text: typed, ...key }) => [
      session.send('Input.dispatchKeyEvent', { type: 'keyDown', ...key, text: typed }),
      session.send('Input.dispatchKeyEvent', { type: 'keyUp', ...key }),
    ]),
  )
  await session.detach()
  // A scan may lead to another page.
  await page.evaluate(() => (window as Stretched).endStretch?.()).catch(() => undefined)
}

/** A shortcut of two keys, without a pause between them in which the first would be forgotten. */
export async function pressPair(page: Page, first: string, second: string): Promise<void> {
  await Promise.all([page.keyboard.press(first), page.keyboard.press(second)])
}
