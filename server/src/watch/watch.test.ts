import { weekdays } from '@cellarhand/contract/merchants'
import type { Telling, WatchSettings } from '@cellarhand/contract/watch'
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import { openTurnableDesk, type Desk, type Person, type Shop, type TurnableDesk } from '../../test/desk.ts'
import { takeStep } from '../../test/order-steps.ts'
import { textSentinels } from '#delivery/public.ts'
import { openArrived } from '../platform/cells/move-merchant.ts'
import { watchUpkeep } from './upkeep.ts'

let desk: TurnableDesk
let second: Desk
let shop: Shop
beforeAll(async () => {
  desk = await openTurnableDesk()
  second = await desk.another()
})
beforeEach(async () => {
  // No shop of an earlier test goes on telling.
  await desk.owner.query('update watches set is_on = false')
  shop = await desk.openShop()
})
afterAll(async () => desk.stop())

const minuteMs = 60_000
let phones = 4000
const newPhone = () => `+1212555${phones++}`
const byMail = ({ id }: Person): Telling => ({ user_id: id, by: 'mail', phone: null })
const byText = ({ id }: Person, phone: string): Telling => ({ user_id: id, by: 'text', phone })

const save = (settings: Partial<WatchSettings> = {}, as: Person = shop.manager, tmk = shop.key) =>
  desk.call('PUT /m/v2/merchant/{tmk}/watch', {
    as,
    params: { tmk },
    body: { is_on: true, duty: byMail(shop.member), owner: byMail(shop.owner), ...settings },
  })
const read = async () =>
  (await desk.call('GET /m/v2/merchant/{tmk}/watch', { as: shop.manager, params: { tmk: shop.key } })).body
const watchNow = (at: Desk = desk, as = shop.member) =>
  at.call('PUT /m/v2/merchant/{tmk}/watch/screen', {
    as,
    params: { tmk: shop.key },
    body: { screen: 'one', kind: 'desk' },
  })
async function outbox(to: string) {
  const { body } = await desk.call('GET /demo/outbox.json')
  return body.items.filter((each) => each.to === to)
}
const mails = async (to: Person) => (await outbox(to.email)).length
/** So many mails for the person on duty and for the owner. */
const told = async () => [await mails(shop.member), await mails(shop.owner)]
const isTold = (...wanted: number[]) => desk.later(async () => expect(await told()).toEqual(wanted))
/** Another shop is told: by then the present state of this one was looked at. */
async function lookAgain(): Promise<void> {
  const before = shop
  for (let looks = 0; looks < 2; looks++) {
    shop = await desk.openShop()
    await save({ duty: null })
    await desk.order(shop)
    await desk.owner.query(`update watches set since_at = '2000-01-01' where merchant_id = $1`, [shop.key])
    const { owner } = shop
    await desk.later(async () => expect(await mails(owner)).toBe(1))
  }
  shop = before
}

test('an order waits and no screen has watched for five minutes: the person on duty is told, after five more the owner, each once', async () => {
  await save()
  await desk.order(shop)
  await desk.turn(4 * minuteMs)
  await desk.turn(5_000)
  expect(await told()).toEqual([0, 0])
  await desk.turn(minuteMs)
  await isTold(1, 0)
  const [mail] = await outbox(shop.member.email)
  expect(mail?.subject).toBe('1 new order waits, and no screen is watching')
  await desk.turn(4 * minuteMs)
  expect(await told()).toEqual([1, 0])
  await desk.turn(minuteMs)
  await isTold(1, 1)
  await desk.order(shop)
  await desk.turn(60 * minuteMs)
  await lookAgain()
  expect(await told()).toEqual([1, 1])
  expect((await read()).told_at).not.toBeNull()
})

test('they are told again only after a screen has watched, and nobody is told while one does', async () => {
  await save()
  await desk.order(shop)
  for (let minutes = 0; minutes < 9; minutes += 3) {
    expect((await watchNow(second)).status).toBe(200)
    await desk.turn(3 * minuteMs)
  }
  await lookAgain()
  expect(await told()).toEqual([0, 0])
  await desk.turn(2 * minuteMs)
  await isTold(1, 0)
  await watchNow()
  await desk.turn(5 * minuteMs)
  await isTold(2, 0)
})

test('a screen that watches between the two ends the case before the owner is told', async () => {
  await save()
  await desk.order(shop)
  await desk.turn(5 * minuteMs)
  await isTold(1, 0)
  await watchNow()
  await desk.turn(4 * minuteMs)
  await lookAgain()
  expect(await mails(shop.owner)).toBe(0)
})

test('nobody is told while no order waits for a decision, or where the watch is off', async () => {
  await save()
  const order = await desk.order(shop)
  await takeStep(desk, shop, { order, step: 'accept' })
  await desk.turn(20 * minuteMs)
  await lookAgain()
  expect(await told()).toEqual([0, 0])
  await save({ is_on: false })
  await desk.order(shop)
  await desk.turn(20 * minuteMs)
  await lookAgain()
  expect(await told()).toEqual([0, 0])
})

test('outside the delivery hours nobody is told, and the five minutes begin with the opening', async () => {
  shop = await desk.openShop(undefined, 'UTC')
  const soonMs = Math.ceil(desk.clock.nowMs() / minuteMs) * minuteMs + 120 * minuteMs
  // A shop that opens in the last minutes of a day closes before its orders have waited.
  const opensMs = soonMs % 86_400_000 > 1_425 * minuteMs ? soonMs + 20 * minuteMs : soonMs
  const time = (ms: number) => new Date(ms).toISOString().slice(11, 16)
  const weekday = new Intl.DateTimeFormat('en-US', { weekday: 'long', timeZone: 'UTC' }).format(opensMs)
  const hours = [{ weekday: weekday.toLowerCase(), time_open: time(opensMs), time_close: '23:59' }]
  await desk.owner.query('update merchants set regular_hours = $2 where merchant_id = $1', [
    shop.key,
    JSON.stringify(hours),
  ])
  await save()
  await desk.order(shop)
  await desk.turn(opensMs - desk.clock.nowMs() + 3 * minuteMs)
  await lookAgain()
  expect(await told()).toEqual([0, 0])
  await desk.turn(2 * minuteMs)
  await isTold(1, 0)
})

test('a telling counts for its opening: at the next one both are told again, though no screen has watched', async () => {
  shop = await desk.openShop(undefined, 'UTC')
  const dayMs = 1_440 * minuteMs
  const firstMs = Math.ceil(desk.clock.nowMs() / minuteMs) * minuteMs + 60 * minuteMs
  // An opening ends on its day.
  const opensMs = firstMs % dayMs > 1_200 * minuteMs ? firstMs + 240 * minuteMs : firstMs
  const time = (ms: number) => new Date(ms).toISOString().slice(11, 16)
  const daily = { time_open: time(opensMs), time_close: time(opensMs + 120 * minuteMs) }
  await desk.owner.query('update merchants set regular_hours = $2 where merchant_id = $1', [
    shop.key,
    JSON.stringify(weekdays.map((weekday) => ({ weekday, ...daily }))),
  ])
  await save()
  await desk.order(shop)
  const turnTo = (ms: number) => desk.turn(ms - desk.clock.nowMs())
  for (const [openedMs, before] of [
    [opensMs, 0],
    [opensMs + dayMs, 1],
  ] as const) {
    await turnTo(openedMs + 4 * minuteMs)
    await lookAgain()
    expect(await told()).toEqual([before, before])
    await turnTo(openedMs + 5 * minuteMs)
    await isTold(before + 1, before)
    await desk.turn(5 * minuteMs)
    await isTold(before + 1, before + 1)
    await desk.order(shop)
    await desk.turn(60 * minuteMs)
    await lookAgain()
    expect(await told(), 'once in an opening').toEqual([before + 1, before + 1])
  }
})

test('by text: a phone gets one message of two processes, without names; a phone that takes none gets a mail instead', async () => {
  const phone = newPhone()
  await save({ duty: byText(shop.member, phone), owner: byText(shop.owner, textSentinels.landline) })
  await desk.order(shop)
  await desk.order(shop)
  await desk.turn(5 * minuteMs)
  await desk.later(async () => expect(await outbox(phone)).toHaveLength(1))
  const [text] = await outbox(phone)
  expect(text?.text).toMatch(
    /^\S.*: 2 new orders wait at Shop .*, and no screen is watching\. http\S+\/orders$/,
  )
  await desk.turn(5 * minuteMs)
  await isTold(0, 1)
  await lookAgain()
  expect([await outbox(phone), await told()]).toMatchObject([[{ to: phone }], [0, 1]])
})

test('a text whose answer is lost is looked for and not sent again, and one that never leaves becomes a mail', async () => {
  await save({ duty: byText(shop.member, textSentinels.answerLost) })
  await desk.order(shop)
  const before = (await outbox(textSentinels.answerLost)).length
  await desk.turn(5 * minuteMs)
  await desk.later(async () => {
    const { rows } = await desk.owner.query(
      'select 1 from watch_texts where merchant_id = $1 and ended_at is not null and error is null',
      [shop.key],
    )
    expect(rows).toHaveLength(1)
  })
  expect((await outbox(textSentinels.answerLost)).length - before).toBe(1)
  expect(await told()).toEqual([0, 0])

  await desk.owner.query('update watches set is_on = false')
  shop = await desk.openShop()
  await save({ duty: byText(shop.member, textSentinels.broken) })
  await desk.order(shop)
  await desk.turn(5 * minuteMs)
  await desk.later(async () => expect(await mails(shop.member)).toBe(1))
})

test('a person who has left the store is not told, nor an owner who is none any more: then every owner is', async () => {
  const leaver = await desk.addPerson(shop.key, 'merch.user')
  const formerOwner = await desk.addPerson(shop.key, 'merch.owner')
  await save({ duty: byMail(leaver), owner: byMail(formerOwner) })
  await desk.owner.query('update users set merchant_id = null where user_id = $1', [leaver.id])
  await desk.owner.query(`update users set roles = '{merch.user}' where user_id = $1`, [formerOwner.id])
  await desk.order(shop)
  await desk.turn(5 * minuteMs)
  await isTold(0, 1)
  await desk.turn(5 * minuteMs)
  await isTold(0, 2)
  expect([await mails(leaver), await mails(formerOwner)]).toEqual([0, 0])
})

test('a restarted server and a restored database tell nobody twice', async () => {
  const phone = newPhone()
  await save({ duty: byText(shop.member, phone) })
  await desk.order(shop)
  await desk.turn(5 * minuteMs)
  await desk.later(async () => expect(await outbox(phone)).toHaveLength(1))
  const third = await desk.another()
  await third.stop()
  await desk.owner.query('update watch_texts set ended_at = null, due_at = now() where merchant_id = $1', [
    shop.key,
  ])
  await desk.app.db.system(async (statements) =>
    watchUpkeep.afterRestore?.(statements, { madeAt: '', leastVersion: 1 }),
  )
  await lookAgain()
  expect(await outbox(phone)).toHaveLength(1)
})

test('a shop that opens again after a move has the usual time for its screens to come back', async () => {
  await save()
  await desk.order(shop)
  await desk.owner.query(`insert into merchant_moves (merchant_id, state) values ($1, 'arriving')`, [
    shop.key,
  ])
  // No screen of a closed shop can say that it watches.
  await desk.turn(10 * minuteMs)
  const { rows } = await desk.owner.query<{ name: string }>('select current_database() as name')
  const address = { ...inject('databaseServer'), database: rows[0]?.name ?? '' }
  await openArrived(address, shop.key, [watchUpkeep])
  await lookAgain()
  expect(await told()).toEqual([0, 0])
  await desk.turn(5 * minuteMs)
  await isTold(1, 0)
})

test('the settings name people of the store alone, an owner, and a phone for a text', async () => {
  const other = await desk.openShop()
  const refused = async (settings: Partial<WatchSettings>) => {
    const { status, refusal } = await save(settings)
    return [status, Object.keys(refusal.errors)]
  }
  expect(await refused({ duty: byMail(other.member) })).toEqual([400, ['duty']])
  expect(await refused({ owner: byMail(shop.manager) })).toEqual([400, ['owner']])
  expect(await refused({ owner: null })).toEqual([400, ['owner']])
  expect(await refused({ duty: byText(shop.member, '12') })).toEqual([400, ['duty.phone']])
  expect((await save({}, shop.member)).status).toBe(403)
  expect((await save({}, other.owner)).status).toBe(403)
  const { body } = await save({ duty: { ...byMail(shop.member), phone: newPhone() } })
  // A phone that no message goes to is not kept.
  expect(body.duty?.phone).toBeNull()
  expect(body.people.map(({ id }) => id).toSorted()).toEqual(
    [shop.owner, shop.manager, shop.member].map(({ id }) => id).toSorted(),
  )
})

test('the settings tell how many screens watch, and a screen of another shop counts for that shop alone', async () => {
  const other = await desk.openShop()
  await watchNow()
  await watchNow(second, shop.owner)
  expect((await read()).screens).toBe(2)
  const foreign = await desk.call('PUT /m/v2/merchant/{tmk}/watch/screen', {
    as: other.member,
    params: { tmk: shop.key },
    body: { screen: 'one', kind: 'wall' },
  })
  expect(foreign.status).toBe(403)
  await desk.turn(80_000)
  expect((await read()).screens).toBe(0)
})
