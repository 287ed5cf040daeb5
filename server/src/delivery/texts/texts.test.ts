import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openDesk, type Desk, type Person, type Shop } from '../../../test/desk.ts'
import { textSentinels } from './sandbox-texts.ts'
import { wishIn } from './texts.ts'

let desk: Desk
let shop: Shop
beforeAll(async () => {
  desk = await openDesk()
})
beforeEach(async () => {
  shop = await desk.openShop()
})
afterAll(async () => desk.stop())

const message =
  'Directions to order #1000123: https://www.google.com/maps/dir/?api=1&destination=118+Pearl+St'
let phones = 2000
const phone = () => `+1212555${phones++}`

const send = async (number: string, { as, key }: { as?: Person; key?: string } = {}) =>
  desk.call('POST /m/v2/sms', {
    as: as ?? shop.member,
    body: { number, message },
    headers: key === undefined ? {} : { 'idempotency-key': key },
  })
const arrived = async (number: string) => {
  const { body } = await desk.call('GET /demo/outbox.json')
  return body.items.filter(({ to, kind }) => to === number && kind === 'text_message')
}
const reply = (number: string, body: string) =>
  desk.send('POST', '/demo/text_replies', {
    body: new URLSearchParams({ number, body }).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })

test('API-044 API-045 ENT-046 directions arrive at the phone, and the answer says no more', async () => {
  const number = phone()
  const { status, body } = await send(number)
  expect([status, body]).toEqual([202, {}])
  const [text] = await arrived(number)
  expect(text).toMatchObject({ text: message, links: [message.split(': ')[1]] })
  expect((await desk.call('GET /demo/outbox')).text).toContain(number)
})

test('DELIV-018 DELIV-019 GAP-32 only a US phone, with its plus sign or without; and only for somebody signed in', async () => {
  for (const wrong of [
    '12',
    '555-1212',
    '+442071838750',
    '+2125550123',
    '1-800-FLOWERS',
    '',
    'x'.repeat(33),
  ]) {
    const answer = await send(wrong)
    expect([wrong, answer.status, Object.keys(answer.refusal.errors)]).toEqual([wrong, 400, ['number']])
  }
  expect((await send('12')).refusal.errors).toEqual({ number: 'Please enter a valid phone number' })
  expect((await send('(212) 555-1999')).status).toBe(202)
  expect(await arrived('+12125551999')).toHaveLength(1)
  const nobody = await desk.call('POST /m/v2/sms', { body: { number: phone(), message } })
  expect(nobody.status).toBe(401)
  const empty = await desk.call('POST /m/v2/sms', {
    as: shop.member,
    body: { number: phone(), message: ' ' },
  })
  expect(empty.status).toBe(400)
})

test('GAP-32 at most 20 an hour each, counted in the database', async () => {
  const one = await desk.addPerson(shop.key, 'merch.user')
  const answers = []
  for (let n = 0; n < 21; n++) answers.push((await send(phone(), { as: one })).status)
  expect(answers).toEqual([...Array<number>(20).fill(202), 429])
  const late = await send(phone(), { as: one })
  expect(Number(late.headers.get('retry-after'))).toBeGreaterThan(3000)
  expect((await send(phone(), { as: shop.manager })).status).toBe(202)
})

test.each([
  ['invalid', 'There is no phone with this number.'],
  ['unreachable', 'This phone cannot be reached by text message.'],
  ['landline', 'This number is a landline, which takes no text messages.'],
  ['broken', 'Sandbox Phones cannot be reached. Nothing was done. Please try again in a few minutes.'],
] as const)('DELIV-022 %s: the specified sentence, and why', async (kind, why) => {
  const answer = await send(textSentinels[kind])
  expect([answer.status, answer.refusal.code, answer.refusal.message, answer.refusal.errors]).toEqual([
    502,
    'sms_failed',
    'There was an error trying to send the message.',
    [{ message: why }],
  ])
})

test('nothing is sent twice: not by a second press, after a lost answer, or by two at once', async () => {
  const number = phone()
  await send(number, { key: 'one' })
  expect((await send(number, { key: 'one' })).status).toBe(202)
  expect(await arrived(number)).toHaveLength(1)

  const lost = await send(textSentinels.answerLost)
  expect([lost.status, lost.refusal.code]).toEqual([502, 'sms_failed'])
  expect((await send(textSentinels.answerLost)).status).toBe(202)
  expect(await arrived(textSentinels.answerLost)).toHaveLength(1)

  const together = phone()
  const answers = await Promise.all([send(together, { key: 'two' }), send(together, { key: 'two' })])
  expect(answers.map(({ status }) => status)).toContain(202)
  expect(await arrived(together)).toHaveLength(1)
})

test('a key that was used for another message is refused, and the record of that message stays', async () => {
  const [first, second] = [phone(), phone()]
  expect((await send(first, { key: 'used' })).status).toBe(202)
  const again = await send(second, { key: 'used' })
  expect([again.status, again.refusal.code]).toEqual([422, 'idempotency_key_reused'])
  expect([await arrived(first), await arrived(second)]).toMatchObject([[{ to: first }], []])
  const { rows } = await desk.owner.query(`select number from text_messages where request_key = 'used'`)
  expect(rows).toEqual([{ number: first }])
})

test('a message that was never sent goes out at the next try, and a second wish is a second message', async () => {
  expect((await send(textSentinels.requestLost)).status).toBe(502)
  expect((await send(textSentinels.requestLost)).status).toBe(502)
  const number = phone()
  await send(number)
  await send(number)
  expect(await arrived(number)).toHaveLength(2)
})

test('STOP holds for every merchant, and START ends it', async () => {
  const number = phone()
  await send(number)
  expect((await reply(number, ' Stop. ')).status).toBe(303)
  const other = await desk.openShop()
  for (const as of [shop.member, other.owner]) {
    const answer = await send(number, { as })
    expect([answer.status, answer.refusal.code]).toEqual([409, 'phone_opted_out'])
  }
  expect(await arrived(number)).toHaveLength(1)
  await reply(number, 'please stop by the door')
  await reply(number, 'START')
  expect((await send(number)).status).toBe(202)
})

test('a phone that opted out at the service gets no further call', async () => {
  for (let times = 0; times < 2; times++)
    expect((await send(textSentinels.optedOut)).refusal.code).toBe('phone_opted_out')
  const { rows } = await desk.owner.query('select state from text_messages where number = $1', [
    textSentinels.optedOut,
  ])
  expect(rows).toEqual([{ state: 'failed' }])
})

test('forms are accepted from a provider, and nowhere else', async () => {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const status = (path: string) => desk.send('POST', path, { body: 'a=1', headers, as: shop.member })
  expect((await status('/m/v2/sms')).status).toBe(415)
  expect((await status('/providers/v1/texts/sandbox/status')).refusal.code).toBe('bad_callback')
  expect((await status('/providers/v1/texts/sandbox/replies')).refusal.code).toBe('bad_callback')
  expect((await status('/providers/v1/texts/twilio/replies')).status).toBe(404)
})

test('whole messages mean stop and start, and words in a sentence mean nothing', () => {
  for (const stop of [
    'STOP',
    'stop',
    ' Unsubscribe ',
    'QUIT!',
    'end',
    'Cancel',
    'StopAll',
    'OPTOUT',
    'revoke',
  ])
    expect([stop, wishIn(stop)]).toEqual([stop, 'stop'])
  for (const start of ['START', 'Unstop', 'yes']) expect(wishIn(start)).toBe('start')
  for (const other of ['', 'HELP', 'please stop', 'yes please', 'stopping'])
    expect(wishIn(other)).toBeUndefined()
})

test('GAP-32 a text in doubt was counted when it was first sent, so its repetition goes out at the limit too', async () => {
  const one = await desk.addPerson(shop.key, 'merch.user')
  for (let n = 0; n < 19; n++) expect((await send(phone(), { as: one })).status).toBe(202)
  const before = (await arrived(textSentinels.answerLost)).length
  expect((await send(textSentinels.answerLost, { as: one })).status).toBe(502)
  expect((await send(textSentinels.answerLost, { as: one })).status).toBe(202)
  expect(await arrived(textSentinels.answerLost)).toHaveLength(before + 1)
  expect((await send(phone(), { as: one })).status).toBe(429)
})
