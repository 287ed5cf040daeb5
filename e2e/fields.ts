import type { Locator, Page } from '@playwright/test'

/** Waits until an open dialog takes keys. Until the dialog has been painted, it drops them. */
export async function dialogTakesKeys(page: Page): Promise<void> {
  await page.locator('#root[aria-hidden="true"]').waitFor({ state: 'attached' })
}

/** Empties a field of a dialog. Playwright does so with the Delete key. */
export async function emptyInDialog(field: Locator): Promise<void> {
  await dialogTakesKeys(field.page())
  await field.fill('')
}
