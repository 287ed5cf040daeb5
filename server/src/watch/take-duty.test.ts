import type { WatchSettings } from '@cellarhand/contract/watch'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openTurnableDesk, type Desk, type Person, type Shop, type TurnableDesk } from '../../test/desk.ts'

let desk: TurnableDesk
let second: Desk
let shop: Shop
beforeAll(async () => {
  desk = await openTurnableDesk()
  second = await desk.another()
})
beforeEach(async () => {
  shop = await desk.openShop()
})
afterAll(async () => desk.stop())

const unwatchedMs = 5 * 60_000
const phone = '+12125554777'

const watch = ({ duty = shop.manager as Person | null, isOn = true } = {}) =>
  desk.call('PUT /m/v2/merchant/{tmk}/watch', {
    as: shop.manager,
    params: { tmk: shop.key },
    body: {
      is_on: isOn,
      duty: duty && { user_id: duty.id, by: 'text', phone: '+12125554778' },
      owner: { user_id: shop.owner.id, by: 'mail', phone: null },
    },
  })
const byMail = { by: 'mail', phone: null } as const
const byText = { by: 'text', phone } as const
const take = (
  as: Person,
  body: typeof byMail | typeof byText | { by: 'text'; phone: string } = byMail,
  at = desk as Desk,
) => at.call('PUT /m/v2/merchant/{tmk}/watch/duty', { as, params: { tmk: shop.key }, body })
const read = (as: Person) =>
  desk.call('GET /m/v2/merchant/{tmk}/watch/duty', { as, params: { tmk: shop.key } })
async function mailsAndTexts(...recipients: string[]): Promise<number[]> {
  const { body } = await desk.call('GET /demo/outbox.json')
  return recipients.map((each) => body.items.filter(({ to }) => to === each).length)
}

test('a member takes the duty: the next case tells that member, and not the person before', async () => {
  await watch()
  const before = await read(shop.member)
  expect(before.body).toEqual({ is_on: true, person: { name: expect.any(String), is_self: false, by: null } })
  expect(before.text, 'no phone of another person').not.toContain('555')
  const { status, body } = await take(shop.member)
  expect([status, body]).toMatchObject([200, { is_on: true, person: { is_self: true, by: 'mail' } }])
  expect((await read(shop.manager)).body.person).toEqual({ ...body.person, is_self: false, by: null })
  await desk.order(shop)
  await desk.turn(unwatchedMs)
  await desk.later(async () => expect(await mailsAndTexts(shop.member.email)).toEqual([1]))
  expect(await mailsAndTexts('+12125554778', shop.manager.email, shop.owner.email)).toEqual([0, 0, 0])
})

test('by text: the message goes to the typed phone, which only the settings of managers name', async () => {
  await watch({ duty: null })
  expect((await read(shop.member)).body).toEqual({ is_on: true, person: null })
  const refused = await take(shop.member, { by: 'text', phone: '12' })
  expect([refused.status, Object.keys(refused.refusal.errors)]).toEqual([400, ['phone']])
  expect((await take(shop.member, byText)).text).not.toContain('555')
  const settings = await desk.call('GET /m/v2/merchant/{tmk}/watch', {
    as: shop.manager,
    params: { tmk: shop.key },
  })
  expect(settings.body).toMatchObject({
    duty: { user_id: shop.member.id, by: 'text', phone },
    owner: { user_id: shop.owner.id },
  })
  await desk.order(shop)
  await desk.turn(unwatchedMs)
  await desk.later(async () => expect(await mailsAndTexts(phone)).toEqual([1]))
})

test('of two clerks who press at once the last one has the duty, and both read the same', async () => {
  await watch()
  const answers = await Promise.all([take(shop.member), take(shop.owner, byMail, second)])
  expect(answers.map(({ status, body }) => [status, body.person?.is_self])).toEqual([
    [200, true],
    [200, true],
  ])
  const [mine, theirs] = [(await read(shop.member)).body.person, (await read(shop.owner)).body.person]
  expect(mine?.name).toBe(theirs?.name)
  expect([mine?.is_self, theirs?.is_self].toSorted()).toEqual([false, true])
})

test('a save of other settings keeps the duty that a clerk took since, and one that names a person on duty changes it', async () => {
  await watch()
  await take(shop.member, byText)
  const line = { as: shop.manager, params: { tmk: shop.key } }
  const save = (body: WatchSettings) => desk.call('PUT /m/v2/merchant/{tmk}/watch', { ...line, body })
  const duty = { user_id: shop.member.id, by: 'text', phone } as const
  const owner = { user_id: shop.owner.id, by: 'text', phone: '+12125554779' } as const
  expect((await save({ owner })).body).toMatchObject({ is_on: true, duty, owner })
  expect((await save({ is_on: false })).body).toMatchObject({ is_on: false, duty, owner })
  expect((await save({ is_on: true, duty: null })).body).toMatchObject({ is_on: true, duty: null, owner })
  const { status, refusal } = await save({ owner: null })
  expect([status, Object.keys(refusal.errors)]).toEqual([400, ['owner']])
  const [one, other] = [take(shop.member), save({ owner: { ...owner, by: 'mail', phone: null } })]
  expect((await Promise.all([one, other])).map(({ status: each }) => each)).toEqual([200, 200])
  expect((await desk.call('GET /m/v2/merchant/{tmk}/watch', line)).body).toMatchObject({
    duty: { user_id: shop.member.id, by: 'mail' },
    owner: { user_id: shop.owner.id, by: 'mail' },
  })
})

test('nobody takes the duty of another shop, without the right to fulfil orders, or while the watch is off', async () => {
  const other = await desk.openShop()
  await watch()
  const before = (await read(shop.manager)).body
  expect(before.person?.is_self).toBe(true)
  const guest = await desk.addPerson(shop.key, undefined)
  for (const stranger of [other.member, other.owner, guest]) {
    expect((await take(stranger)).status).toBe(403)
    expect((await read(stranger)).status).toBe(403)
  }
  expect((await read(shop.manager)).body).toEqual(before)
  await watch({ isOn: false })
  const { status, refusal } = await take(shop.member)
  expect([status, refusal.code]).toEqual([409, 'watch_off'])
  expect((await read(shop.member)).body).toEqual({ is_on: false, person: null })
})

test('a person who has left the shop is not on duty, nor has a watch that nobody has saved one', async () => {
  expect((await read(shop.member)).body).toEqual({ is_on: false, person: null })
  await watch()
  await take(shop.member)
  await desk.owner.query('update users set merchant_id = null where user_id = $1', [shop.member.id])
  expect((await read(shop.manager)).body).toEqual({ is_on: true, person: null })
})
