import { dialog, expect, openOrder, test } from './desk.ts'

for (const width of [1440, 390])
  for (const colorScheme of ['light', 'dark'] as const)
    test(`shots ${width} ${colorScheme}`, async ({ openDesk, outside, cable }) => {
      const order = await outside.order('demo')
      const viewport = { width, height: width === 390 ? 844 : 900 }
      const page = await openDesk('member@demo.test', { baseURL: cable.url, viewport, colorScheme })
      const shot = (name: string) =>
        page.screenshot({ path: `/dev/shm/keys/shots/${name}-${width}-${colorScheme}.png` })
      cable.holdAnswers('GET /assets/command-')
      await openOrder(page, order)
      await page.keyboard.press('ControlOrMeta+k')
      await page.keyboard.type('rep')
      await page.waitForTimeout(300)
      await shot('palette-shell')
      cable.mend()
      await expect(dialog(page, 'Commands').getByRole('option').first()).toBeVisible()
      await shot('palette')
      await page.keyboard.press('Escape')
      await page.reload()
      await expect(page.getByRole('heading', { level: 1, name: `#${order.id}` })).toBeFocused()
      cable.holdAnswers('GET /assets/reject-dialog-')
      await page.keyboard.press('r')
      await page.waitForTimeout(300)
      await shot('reject-shell')
      cable.mend()
      await expect(dialog(page, 'Reject Order').getByRole('radio', { name: 'Customer' })).toBeFocused()
      await shot('reject')
      await page.keyboard.press('Enter')
      await expect(dialog(page, 'Reject Order').getByRole('alert')).toBeVisible()
      await shot('reject-asked')
      await page.keyboard.press('Escape')
      await page.keyboard.press('a')
      await expect(
        dialog(page, 'Accept & Confirm').getByRole('button', { name: 'ACCEPT', exact: true }),
      ).toBeFocused()
      await shot('accept')
    })
