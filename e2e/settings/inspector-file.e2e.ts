import { expect, test } from '../desk.ts'

test('an owner has the file for an inspector made, and downloads it', async ({ openDesk, ownShop }) => {
  const page = await openDesk(ownShop.owner)
  await page.goto('/settings/duties')
  const part = page.getByRole('region', { name: 'Inspector’s file' })
  await part.getByRole('button', { name: 'Make the file' }).click()
  await expect(part.getByText('Please give the first day')).toBeVisible()
  await part.getByLabel('First day').fill('2026-05-02')
  await part.getByLabel('Last day').fill('2026-05-01')
  await part.getByRole('button', { name: 'Make the file' }).click()
  await expect(part.getByText('The range ends before it begins')).toBeVisible()
  await part.getByLabel('Last day').fill('2026-05-31')
  await part.getByRole('button', { name: 'Make the file' }).click()
  const download = page.waitForEvent('download')
  await part.getByRole('link', { name: 'Download the file of 05.02.2026 to 05.31.2026' }).click()
  expect((await download).suggestedFilename()).toBe('inspection-2026-05-02-to-2026-05-31.zip')
})
