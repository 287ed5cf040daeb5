import { createUser } from '../../server/src/sign-in/public.ts'
import { asAdmin } from '../database.ts'
import { expect, test, toast } from '../desk.ts'
import { password, signIn } from '../people.ts'
import { violationsOf } from '../screens/axe.ts'

test('at the hand-over a clerk takes the duty by keyboard, by mail and then by text, and a colleague sees the name', async ({
  openDesk,
  ownShop,
  outside,
  dataDir,
  url,
}) => {
  const email = `member@${ownShop.key}.test`
  const person = { email, firstName: 'Mona', lastName: 'Reyes', password, role: 'merch.user' } as const
  await asAdmin(dataDir, (db) => createUser(db, { ...person, merchantKey: ownShop.key }))
  const clerk = await openDesk(email)
  const card = clerk.getByRole('region', { name: 'On duty' })
  await clerk.goto('/hand-over')
  await expect(clerk.getByRole('region', { name: 'Who has what' })).toBeVisible()
  await expect(card, 'the watch is off').toHaveCount(0)

  const { bearer } = await signIn(url, ownShop.owner)
  const line = { as: bearer, params: { tmk: ownShop.key } }
  const { people } = await outside.call('GET /m/v2/merchant/{tmk}/watch', line)
  const owner = {
    user_id: people.find(({ is_owner: isOwner }) => isOwner)?.id ?? '',
    by: 'mail',
    phone: null,
  } as const
  const body = { is_on: true, duty: owner, owner }
  await outside.call('PUT /m/v2/merchant/{tmk}/watch', { ...line, body })
  await clerk.reload()
  await expect(card).toContainText('Ada Marsh')
  await expect(card).not.toContainText('you')
  const way = card.getByRole('combobox', { name: 'Tell me by' })
  await way.focus()
  await clerk.keyboard.press('Tab')
  await expect(card.getByRole('button', { name: 'I am on duty' })).toBeFocused()
  await clerk.keyboard.press('Enter')
  await expect(card).toContainText('Mona Reyes (you, by e-mail)')
  await expect(toast(clerk, 'You are on duty')).toBeVisible()
  await expect(card.getByRole('button'), 'the focus stays').toBeFocused()

  await way.selectOption('Text message')
  const phone = card.getByRole('textbox', { name: 'Phone' })
  await phone.fill('12')
  await phone.press('Enter')
  await expect(phone).toBeFocused()
  await expect(phone).toHaveAccessibleDescription('Please enter a valid phone number')
  expect(await violationsOf(clerk)).toEqual([])
  await phone.fill('(212) 555-0147')
  await phone.press('Enter')
  await expect(card).toContainText('Mona Reyes (you, by text message)')

  const colleague = await openDesk(ownShop.owner, { viewport: { width: 390, height: 844 }, hasTouch: true })
  const seen = colleague.getByRole('region', { name: 'On duty' })
  await colleague.goto('/hand-over')
  await expect(seen).toContainText('Mona Reyes')
  await expect(seen).not.toContainText('you')
  expect(await violationsOf(colleague)).toEqual([])
  await colleague.emulateMedia({ media: 'print' })
  await expect(seen).toHaveText(/^On duty\s+Mona Reyes$/, { useInnerText: true })
  await expect(seen.getByRole('button')).toBeHidden()
})

test('the duty’s phone begins with the own number of the profile', async ({
  openDesk,
  ownShop,
  outside,
  url,
}) => {
  const { bearer } = await signIn(url, ownShop.owner)
  const line = { as: bearer, params: { tmk: ownShop.key } }
  const { people } = await outside.call('GET /m/v2/merchant/{tmk}/watch', line)
  const id = people.find(({ is_owner: isOwner }) => isOwner)?.id ?? ''
  const told = { user_id: id, by: 'mail', phone: null } as const
  await outside.call('PUT /m/v2/merchant/{tmk}/watch', {
    ...line,
    body: { is_on: true, duty: told, owner: told },
  })
  const profile = { phone_number: '(212) 555-0142' }
  await outside.call('POST /a/v2/users/{id}', { as: bearer, params: { id }, body: profile })
  const page = await openDesk(ownShop.owner)
  await page.goto('/hand-over')
  const card = page.getByRole('region', { name: 'On duty' })
  const way = card.getByRole('combobox', { name: 'Tell me by' })
  const phone = card.getByRole('textbox', { name: 'Phone' })
  await way.selectOption('Text message')
  await expect(phone).toHaveValue('(212) 555-0142')
  // A number that was emptied by hand stays empty.
  await phone.fill('')
  await expect(phone).toHaveValue('')
  await page.reload()
  await way.selectOption('Text message')
  await phone.press('Enter')
  await expect(card).toContainText('(you, by text message)')
  const { duty } = await outside.call('GET /m/v2/merchant/{tmk}/watch', line)
  expect(duty?.phone).toBe('(212) 555-0142')
  // The number in force stays, though the profile has another one now.
  await outside.call('POST /a/v2/users/{id}', {
    as: bearer,
    params: { id },
    body: { phone_number: '(212) 555-0143' },
  })
  await page.reload()
  await expect(card.getByRole('button', { name: 'Tell me this way' })).toBeVisible()
  await expect(phone).toHaveValue('')
})

test('a manager who saves another field keeps the duty that a clerk took since the form was opened', async ({
  openDesk,
  ownShop,
  outside,
  dataDir,
  url,
}) => {
  const email = `member@${ownShop.key}.test`
  const person = { email, firstName: 'Mona', lastName: 'Reyes', password, role: 'merch.user' } as const
  await asAdmin(dataDir, (db) => createUser(db, { ...person, merchantKey: ownShop.key }))
  const { bearer } = await signIn(url, ownShop.owner)
  const line = { as: bearer, params: { tmk: ownShop.key } }
  const { people } = await outside.call('GET /m/v2/merchant/{tmk}/watch', line)
  const id = people.find(({ is_owner: isOwner }) => isOwner)?.id ?? ''
  const owner = { user_id: id, by: 'mail', phone: null } as const
  const body = { is_on: true, duty: owner, owner }
  await outside.call('PUT /m/v2/merchant/{tmk}/watch', { ...line, body })

  const page = await openDesk(ownShop.owner)
  await page.goto('/settings/alarms')
  const card = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Nobody watching' }) })
  const onDuty = card.getByRole('group', { name: 'On duty' }).getByLabel('Person').locator('option:checked')
  await expect(onDuty).toHaveText('Ada Marsh')
  await outside.call('PUT /m/v2/merchant/{tmk}/watch/duty', {
    ...line,
    as: (await signIn(url, email)).bearer,
    body: { by: 'mail', phone: null },
  })
  const ofOwner = card.getByRole('group', { name: 'Owner' })
  await ofOwner.getByLabel('By').selectOption('Text message')
  await ofOwner.getByLabel('Phone').fill('(212) 555-0142')
  await card.getByRole('button', { name: 'Save' }).click()
  await expect(toast(page, 'Saved the watch')).toBeVisible()
  await expect(onDuty).toHaveText('Mona Reyes')
  const saved = await outside.call('GET /m/v2/merchant/{tmk}/watch', line)
  expect(saved.people.find(({ id: each }) => each === saved.duty?.user_id)?.name).toBe('Mona Reyes')
  expect(saved.owner).toEqual({ user_id: id, by: 'text', phone: '(212) 555-0142' })
})
