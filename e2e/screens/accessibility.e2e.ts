import type { Page } from '@playwright/test'
import { overhangOf, violationsOf } from './axe.ts'
import { expect, test as base } from '../desk.ts'
import { resize } from '../page-time.ts'
import { screens } from './screens.ts'
import { setStage } from './stage.ts'
import { tornWordsOf } from './torn-words.ts'
import { smallTargetsOf } from './touch-targets.ts'

const test = base.extend<object, { stage: Awaited<ReturnType<typeof setStage>> }>({
  stage: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads from the pattern what a fixture needs
    async ({}, use) => use(await setStage(`http://127.0.0.1:${process.env['E2E_PORT']}`)),
    { scope: 'worker' },
  ],
})

// By far the longest file, so both workers share it.
test.describe.configure({ mode: 'parallel' })

/** The kind and the name of each dialog, menu and list of suggestions that is open. */
function openParts(page: Page): Promise<string[]> {
  return page
    .locator('[role=dialog], [role=menu], [role=listbox]')
    .filter({ visible: true })
    .evaluateAll((parts) => parts.map((part) => `${part.role ?? ''} ${part.ariaLabel ?? part.id}`))
}

for (const { name, person = 'owner@demo.test', hasWorker, goesWhenResized, ownPart, show } of screens) {
  test.describe(name, () => {
    if (hasWorker)
      // In the demo, the orders of other tests would push these from the list before the device keeps it.
      test.use({ person: async ({ shop }, use) => use(shop.owner), serviceWorkers: 'allow' })
    else test.use({ person })

    test('axe finds nothing in either scheme, wide or on a phone, nothing exceeds the window, words stay whole, and a finger meets all', async ({
      page,
      stage,
    }) => {
      // Colours are the same variables at every width, and both schemes show the same elements. So two of the four
      // combinations suffice here, and `npm run shots` checks both schemes at five widths.
      await page.setViewportSize({ width: 1440, height: 900 })
      await page.emulateMedia({ colorScheme: 'light' })
      await show(page, stage)
      expect(await violationsOf(page, ownPart), 'axe at 1440 px, light').toEqual([])
      const open = await openParts(page)
      await page.emulateMedia({ colorScheme: 'dark' })
      // As tall as two phones, so that most of a page is seen at once.
      await resize(page, { width: 390, height: 2400 })
      // To open each screen again would take half as long again.
      if (goesWhenResized) await show(page, stage)
      else expect(await openParts(page), 'still open on a phone').toEqual(open)
      // The cards of a phone are a part of their own.
      await expect(page.locator('main').getByText(/^Loading(?! more)/)).toHaveCount(0)
      expect(await violationsOf(page, ownPart), 'axe at 390 px, dark').toEqual([])
      expect(await smallTargetsOf(page), 'too small for a finger on a phone').toEqual([])
      for (const [what, size] of [
        ['320 px', { width: 320, height: 568 }],
        ['200 % zoom of 1440 px', { width: 720, height: 450 }],
      ] as const) {
        await resize(page, size)
        expect(await overhangOf(page), `pixels beyond the window at ${what}`).toBe(0)
        expect(await tornWordsOf(page), `words in pieces at ${what}`).toEqual([])
      }
      await resize(page, { width: 834, height: 1112 })
      expect(await smallTargetsOf(page), 'too small for a finger on a tablet').toEqual([])
      expect(await tornWordsOf(page), 'words in pieces on a tablet').toEqual([])
    })
  })
}
