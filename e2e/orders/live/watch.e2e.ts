import type { Page } from '@playwright/test'
import { openDatabase } from '../../database.ts'
import { expect, openOrders, test, toast } from '../../desk.ts'
import { violationsOf } from '../../screens/axe.ts'

/** The kinds of the store's screens that have reported since the last question. */
async function reported(dataDir: string, key: string): Promise<string[]> {
  const database = await openDatabase(dataDir)
  const { rows } = await database.query<{ kind: string }>(
    'delete from watch_screens where merchant_id = $1 returning kind',
    [key],
  )
  await database.end()
  return rows.map(({ kind }) => kind)
}
const waits = (dataDir: string, key: string, ...kinds: string[]) =>
  expect.poll(() => reported(dataDir, key)).toEqual(kinds)

/** What a browser tells a page whose window is behind another one, or whose device sleeps. */
function hide(page: Page, state: 'hidden' | 'visible'): Promise<void> {
  return page.evaluate((given) => {
    Object.defineProperty(document, 'visibilityState', { value: given, configurable: true })
    document.dispatchEvent(new Event('visibilitychange'))
  }, state)
}

/** What a browser tells a page that nobody has pressed yet. The questions of a test count as presses for the real one. */
async function holdSoundBack(page: Page): Promise<void> {
  await page.addInitScript(() => {
    let isPressed = false
    for (const press of ['pointerdown', 'keydown'])
      addEventListener(press, () => void (isPressed = true), { capture: true })
    const own = Object.getOwnPropertyDescriptor(BaseAudioContext.prototype, 'state')
    Object.defineProperty(AudioContext.prototype, 'state', {
      get(this: AudioContext) {
        return isPressed ? (own?.get?.call(this) as unknown) : 'suspended'
      },
    })
    localStorage.setItem('cellarhand-alarm', JSON.stringify({ wish: 'on' }))
  })
}

test('a screen reports while it is visible and draws, and not otherwise', async ({
  openDesk,
  dataDir,
  ownShop: shop,
}) => {
  const page = await openDesk(shop.owner)
  await page.clock.install()
  await openOrders(page)
  await waits(dataDir, shop.key, 'desk')
  await page.clock.runFor(31_000)
  await waits(dataDir, shop.key, 'desk')

  await hide(page, 'hidden')
  await page.clock.runFor(120_000)
  expect(await reported(dataDir, shop.key)).toEqual([])
  await hide(page, 'visible')
  await waits(dataDir, shop.key, 'desk')

  // A page that no frame is drawn of.
  await page.evaluate(() => {
    const kept = window as Window & { draw?: typeof requestAnimationFrame }
    kept.draw = requestAnimationFrame
    window.requestAnimationFrame = () => 0
  })
  await page.clock.runFor(120_000)
  expect(await reported(dataDir, shop.key)).toEqual([])
  await page.evaluate(() => {
    const kept = window as Window & { draw?: typeof requestAnimationFrame }
    if (kept.draw) window.requestAnimationFrame = kept.draw
  })
  await page.clock.runFor(31_000)
  await waits(dataDir, shop.key, 'desk')
})

test('the settings name the person on duty and the owner, check the phone, and say how many screens watch', async ({
  openDesk,
  ownShop: shop,
}) => {
  const page = await openDesk(shop.owner)
  await openOrders(page)
  await page.goto('/settings/alarms')
  const card = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Nobody watching' }) })
  const save = card.getByRole('button', { name: 'Save' })
  const [duty, owner] = [
    card.getByRole('group', { name: 'On duty' }),
    card.getByRole('group', { name: 'Owner' }),
  ]
  await card.getByRole('switch', { name: 'Tell somebody when nobody watches' }).click()
  await save.click()
  await expect(owner.getByText('Please choose an owner', { exact: true })).toBeVisible()
  await expect(owner.getByLabel('Person')).toBeFocused()
  await owner.getByLabel('Person').selectOption('Ada Marsh')
  await duty.getByLabel('Person').selectOption('Ada Marsh')
  await duty.getByLabel('By').selectOption('Text message')
  await duty.getByLabel('Phone').fill('12')
  await save.click()
  await expect(duty.getByText('Please enter a valid phone number', { exact: true })).toBeVisible()
  await expect(duty.getByLabel('Phone')).toBeFocused()
  await duty.getByLabel('Phone').fill('(212) 555-0142')
  await save.click()
  await expect(toast(page, 'Saved the watch')).toBeVisible()
  await expect(save).toBeDisabled()
  await page.reload()
  await expect(duty.getByLabel('Phone')).toHaveValue('(212) 555-0142')
  await expect(owner.getByLabel('Person').locator('option:checked')).toHaveText('Ada Marsh')
  await expect(card.getByText(/^\d screens? watch(es)? now\.$/)).toBeVisible()
})

test('the wall screen is opened by the menu, shows the queue in due order, grows by itself, watches, and is left by Escape', async ({
  openDesk,
  outside,
  dataDir,
  ownShop: shop,
}) => {
  const at = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString()
  const scheduled = (left: number) => ({
    delivery: { method: 'scheduled' as const, window: [at(left - 30), at(left)] },
  })
  const later = await outside.order(shop.key, scheduled(600))
  const late = await outside.order(shop.key, scheduled(-20))
  const page = await openDesk(shop.owner)
  await openOrders(page)
  await page.getByRole('button', { name: 'Settings' }).click()
  await page.getByRole('menuitem', { name: 'Wall screen' }).click()
  const wall = page.getByRole('main', { name: 'Wall screen' })
  await expect(wall.getByRole('heading', { level: 1 })).toBeVisible()
  const rows = wall.getByRole('listitem')
  await expect(rows).toHaveText([new RegExp(`late.*#${late.id}`), new RegExp(`left.*#${later.id}`)])
  await expect(wall.getByRole('definition')).toHaveText(['1', '0', '2'])
  await waits(dataDir, shop.key, 'wall')

  const next = await outside.order(shop.key, scheduled(20))
  await expect(rows).toHaveText([
    new RegExp(`#${late.id}`),
    new RegExp(`#${next.id}`),
    new RegExp(`#${later.id}`),
  ])
  // Its alarm still waits for somebody who takes notice.
  await expect(wall.getByText('3 not seen yet')).toBeInViewport()
  await outside.tell(late, { status: 'CANCELLED' })
  await expect(rows).toHaveText([new RegExp(`#${next.id}`), new RegExp(`#${later.id}`)])
  await expect(wall.getByRole('button')).toHaveText(['Turn on sound', 'Got it', 'Leave wall screen'])
  await expect(wall.getByRole('link')).toHaveCount(0)
  await page.keyboard.press('Escape')
  await expect(page).toHaveURL(/\/orders\/active$/)
  await expect(wall).toHaveCount(0)
})

for (const [width, height] of [
  [1440, 900],
  [390, 844],
] as const)
  test(`a wall screen that starts again says that its sound is blocked, and shows what nobody has seen: ${width}`, async ({
    openDesk,
    outside,
    ownShop: shop,
  }) => {
    await outside.order(shop.key)
    const cancelled = await outside.order(shop.key)
    const page = await openDesk(shop.owner, { viewport: { width, height } })
    await holdSoundBack(page)
    await page.goto('/wall')
    const wall = page.getByRole('main', { name: 'Wall screen' })
    const signs = wall.getByRole('group', { name: 'Order alarm' })
    const turnOn = signs.getByRole('button', { name: 'Turn on sound' })
    const gotIt = signs.getByRole('button', { name: 'Got it' })
    await expect(signs.getByText('Sound is blocked', { exact: true })).toBeInViewport({ ratio: 1 })
    await expect(signs.getByText('2 not seen yet', { exact: true })).toBeInViewport({ ratio: 1 })
    await outside.tell(cancelled, { status: 'CANCELLED' })
    await expect(signs.getByText(`#${cancelled.id} cancelled, 1 not seen yet`, { exact: true })).toBeVisible()
    for (const button of [turnOn, gotIt]) {
      const box = await button.boundingBox()
      expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(44)
    }
    expect(await violationsOf(page)).toEqual([])
    // Nothing lies over the buttons.
    await gotIt.click({ trial: true })
    await turnOn.click()
    await expect(turnOn).toHaveCount(0)
    await gotIt.focus()
    await page.keyboard.press('Enter')
    await expect(gotIt).toHaveCount(0)
    await expect(wall.getByRole('button', { name: 'Leave wall screen' })).toBeFocused()
  })

test('the wall screen asks for the device’s wake lock again when its page comes back, and renews its session', async ({
  openDesk,
  ownShop: shop,
}) => {
  const page = await openDesk(shop.owner)
  await page.addInitScript(() => {
    const counts = window as Window & { locks?: number }
    counts.locks = 0
    Object.defineProperty(navigator, 'wakeLock', {
      value: {
        async request() {
          counts.locks = (counts.locks ?? 0) + 1
          const lock = Object.assign(new EventTarget(), {
            released: false,
            async release() {
              lock.released = true
              lock.dispatchEvent(new Event('release'))
            },
          })
          document.addEventListener('visibilitychange', () => {
            if (document.visibilityState === 'hidden') void lock.release()
          })
          return lock
        },
      },
    })
  })
  await page.clock.install()
  await page.goto('/wall')
  const locks = () => page.evaluate(() => (window as Window & { locks?: number }).locks)
  await expect(page.getByText('This screen stays on', { exact: true })).toBeVisible()
  expect(await locks()).toBe(1)
  await hide(page, 'hidden')
  await expect(page.getByText('Keeping this screen on', { exact: true })).toBeVisible()
  await hide(page, 'visible')
  await expect(page.getByText('This screen stays on', { exact: true })).toBeVisible()
  expect(await locks()).toBe(2)
  const renewed = page.waitForResponse((each) => each.url().endsWith('/a/v2/sessions') && each.ok())
  await page.clock.fastForward('04:00:30')
  await renewed
  await expect(page.getByRole('main', { name: 'Wall screen' })).toBeVisible()
})
