import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openTurnableDesk, type TurnableDesk, type Shop } from '../../../test/desk.ts'
import {
  startLoopback,
  type Loopback,
  type LoopbackAnswer,
  type LoopbackRequest,
} from '../../../test/processes/loopback.ts'
import { tellStatus } from '../../../test/providers/twilio-callbacks.ts'
import { twilioSignature } from './twilio.ts'

const publicUrl = 'http://127.0.0.1:4400'
interface Message {
  sid: string
  to: string
  body: string
  date_created: string
  status?: string
  error_code?: number
}

/** Longer than a slow machine needs for an answer; three of them fit into one call. */
const timeoutMs = 7_000
const onHang = () => desk.clock.turn(timeoutMs)
let provider: Loopback
const sent: Message[] = []
let losing: LoopbackAnswer | undefined
/** What Twilio says of a message before it answers the sending. */
let telling: Record<string, string> | undefined
/** What else happens before it takes a message. */
let meanwhile: (() => Promise<unknown>) | undefined
let desk: TurnableDesk
let shop: Shop
beforeAll(async () => {
  provider = await startLoopback(twilio, { onHang })
  desk = await openTurnableDesk({
    TWILIO_URL: provider.url,
    TWILIO_ACCOUNT_SID: 'AC1',
    TWILIO_AUTH_TOKEN: 'token-1',
    TWILIO_FROM: '+12125550100',
    PUBLIC_URL: publicUrl,
    PROVIDER_TIMEOUT_MS: String(timeoutMs),
  })
})
beforeEach(async () => {
  shop = await desk.openShop()
  provider.requests.length = 0
  sent.length = 0
})
afterAll(async () => {
  await desk.stop()
  await provider.stop()
})

async function twilio({ method, text, query }: LoopbackRequest): Promise<LoopbackAnswer> {
  // None of them has a date of sending yet, so that a filter by that date leaves them out.
  const listed = query.has('DateSent>') ? [] : sent.filter(({ to }) => to === query.get('To'))
  if (method === 'GET') return { json: { messages: listed } }
  await meanwhile?.()
  const form = new URLSearchParams(text)
  const message: Message = {
    sid: `SM${sent.length + 1}-${Math.random()}`,
    to: form.get('To') ?? '',
    body: form.get('Body') ?? '',
    date_created: new Date(desk.clock.nowMs()).toUTCString(),
  }
  sent.push(message)
  if (telling)
    await tellStatus(desk, form.get('StatusCallback') ?? '', { MessageSid: message.sid, ...telling })
  return losing ?? { status: 201, json: { ...message, status: 'queued', error_code: null } }
}

const message = 'Directions to order #1000123: https://www.google.com/maps/dir/?api=1&destination=x'
let phones = 3000
const phone = () => `+1212555${phones++}`
const send = async (number: string) =>
  desk.call('POST /m/v2/sms', { as: shop.member, body: { number, message } })
const callBack = (what: 'status' | 'replies', fields: Record<string, string>, signature?: string) =>
  desk.send('POST', `/providers/v1/texts/twilio/${what}`, {
    body: new URLSearchParams(fields).toString(),
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'x-twilio-signature':
        signature ?? twilioSignature('token-1', `${publicUrl}/providers/v1/texts/twilio/${what}`, fields),
    },
  })
const stored = async (number: string) =>
  (
    await desk.owner.query<{ state: string; error: string | null; service_id: string | null }>(
      'select state, error, service_id from text_messages where number = $1 order by created_at',
      [number],
    )
  ).rows

test('API-044 a message goes out in Twilio’s form, with the address for its callbacks', async () => {
  const number = phone()
  expect((await send(number)).status).toBe(202)
  const [request] = provider.requests
  expect(request?.path).toBe('/2010-04-01/Accounts/AC1/Messages.json')
  expect(request?.headers.authorization).toBe(`Basic ${Buffer.from('AC1:token-1').toString('base64')}`)
  expect(Object.fromEntries(new URLSearchParams(request?.text))).toEqual({
    To: number,
    From: '+12125550100',
    Body: message,
    ValidityPeriod: '14400',
    StatusCallback: expect.stringMatching(
      new RegExp(`^${publicUrl}/providers/v1/texts/twilio/status[?]message=[0-9a-f-]{36}$`),
    ) as string,
  })
  expect(await stored(number)).toMatchObject([{ state: 'sent', service_id: sent[0]?.sid }])
})

test.each([
  [21614, 'This number takes no text messages.'],
  [21211, 'There is no phone with this number.'],
  [99999, 'The text message service did not take this message.'],
])('DELIV-022 error %i is said in words', async (code, why) => {
  provider.next({ status: 400, json: { code, message: 'x', status: 400 } })
  const answer = await send(phone())
  expect([answer.status, answer.refusal.code, answer.refusal.errors]).toEqual([
    502,
    'sms_failed',
    [{ message: why }],
  ])
})

test('21610: a phone that opted out at Twilio gets no further message', async () => {
  const number = phone()
  provider.next({ status: 400, json: { code: 21610, message: 'x', status: 400 } })
  for (let times = 0; times < 2; times++) expect((await send(number)).refusal.code).toBe('phone_opted_out')
  expect(provider.requests).toHaveLength(1)
})

test.each([
  ['an HTML 502', { status: 502, text: '<html>Bad gateway</html>' }],
  ['malformed JSON', { status: 201, text: '{"sid":' }],
  ['a cut line', 'drop'],
  ['silence', 'hang'],
] as const)(
  '%s after the effect: the server asks Twilio first, and does not send it again',
  async (_, answer) => {
    const number = phone()
    losing = answer
    expect((await send(number)).status).toBe(502)
    losing = undefined
    expect((await send(number)).status).toBe(202)
    expect(sent).toHaveLength(1)
  },
)

test('a lost answer to a message that did not arrive: the clerk reads why, and the next press sends another one', async () => {
  const number = phone()
  losing = { status: 502, text: '<html>Bad gateway</html>' }
  await send(number)
  losing = undefined
  Object.assign(sent[0] ?? {}, { status: 'undelivered', error_code: 30006 })
  expect((await send(number)).refusal.errors).toEqual([{ message: expect.stringContaining('landline') }])
  expect(sent).toHaveLength(1)
  expect((await send(number)).status).toBe(202)
  expect(sent).toHaveLength(2)
})

test.each([['before the answer'], ['before an answer that is lost']])(
  'a status that comes %s counts: the clerk reads why the message did not arrive',
  async (when) => {
    const number = phone()
    telling = { MessageStatus: 'undelivered', ErrorCode: '30006' }
    losing = when === 'before the answer' ? undefined : { status: 502, text: '<html>Bad gateway</html>' }
    expect((await send(number)).refusal.code).toBe('sms_failed')
    telling = losing = undefined
    expect(await stored(number)).toMatchObject([
      { state: 'failed', error: expect.stringContaining('landline'), service_id: sent[0]?.sid },
    ])
  },
)

const sendUnderKey = async (number: string, key = `k-${number}`) =>
  desk.call('POST /m/v2/sms', {
    as: shop.member,
    body: { number, message },
    headers: { 'idempotency-key': key },
  })

test('a failed message that is sent again under its key takes the news of its new sending alone', async () => {
  const number = phone()
  const press = async () => sendUnderKey(number)
  telling = { MessageStatus: 'undelivered', ErrorCode: '30006' }
  expect((await press()).refusal.errors).toEqual([{ message: expect.stringContaining('landline') }])
  telling = { MessageStatus: 'undelivered', ErrorCode: '30004' }
  expect((await press()).refusal.code).toBe('sms_failed')
  telling = undefined
  expect(sent).toHaveLength(2)
  expect(await stored(number)).toMatchObject([{ state: 'failed', service_id: sent[1]?.sid }])
})

test('the late news of a failed sending is not taken for that of the next one, which has no answer yet', async () => {
  const number = phone()
  telling = { MessageStatus: 'undelivered', ErrorCode: '30006' }
  expect((await sendUnderKey(number)).refusal.code).toBe('sms_failed')
  telling = undefined
  const first = new URLSearchParams(provider.requests[0]?.text).get('StatusCallback') ?? ''
  meanwhile = async () =>
    tellStatus(desk, first, {
      MessageSid: sent[0]?.sid ?? '',
      MessageStatus: 'undelivered',
      ErrorCode: '30006',
    })
  expect((await sendUnderKey(number)).status).toBe(202)
  meanwhile = undefined
  expect(await stored(number)).toMatchObject([{ state: 'sent', service_id: sent[1]?.sid }])
})

test('a failed message that is sent again much later is in doubt from then on, and does not go out once more', async () => {
  const number = phone()
  telling = { MessageStatus: 'undelivered', ErrorCode: '30006' }
  expect((await sendUnderKey(number)).refusal.code).toBe('sms_failed')
  telling = undefined
  await desk.turn(11 * 60_000)
  losing = { status: 502, text: '<html>Bad gateway</html>' }
  expect((await sendUnderKey(number)).status).toBe(502)
  losing = undefined
  sent.shift()
  expect((await sendUnderKey(number, `other-${number}`)).status).toBe(202)
  expect(sent).toHaveLength(1)
})

test('a message in doubt that went out once more is in doubt from then on', async () => {
  const number = phone()
  losing = { status: 502, text: '<html>Bad gateway</html>' }
  expect((await sendUnderKey(number, `first-${number}`)).status).toBe(502)
  // The first one never arrived.
  sent.length = 0
  await desk.turn(9 * 60_000)
  expect((await sendUnderKey(number, `second-${number}`)).status).toBe(502)
  losing = undefined
  await desk.turn(2 * 60_000)
  expect((await sendUnderKey(number, `third-${number}`)).status).toBe(202)
  expect(sent).toHaveLength(1)
})

test('two who press again while a message is in doubt send it once', async () => {
  const number = phone()
  provider.next({ status: 502, text: '<html>Bad gateway</html>' })
  await sendUnderKey(number, `first-${number}`)
  const underWay = Promise.withResolvers<void>()
  const mayArrive = Promise.withResolvers<void>()
  meanwhile = async () => {
    meanwhile = undefined
    underWay.resolve()
    await mayArrive.promise
  }
  const one = sendUnderKey(number, `second-${number}`)
  await underWay.promise
  const other = await sendUnderKey(number, `third-${number}`)
  mayArrive.resolve()
  expect([(await one).status, other.refusal?.code]).toEqual([202, 'request_in_progress'])
  expect(sent).toHaveLength(1)
  // As the refusal says, the other tries again in a moment.
  expect((await sendUnderKey(number, `third-${number}`)).status).toBe(202)
  expect(sent).toHaveLength(1)
  expect((await sendUnderKey(number, `fourth-${number}`)).status).toBe(202)
  expect(sent).toHaveLength(2)
})

test('a look that Twilio refuses leaves the doubt, and the message does not go out once more', async () => {
  const number = phone()
  losing = { status: 502, text: '<html>Bad gateway</html>' }
  await send(number)
  losing = undefined
  provider.nextTo(/^GET /, { status: 403, json: { code: 20003 } })
  expect((await send(number)).refusal).toMatchObject({
    code: 'sms_failed',
    errors: [{ message: expect.stringContaining('It is not known yet whether the earlier try worked') }],
  })
  expect((await send(number)).status).toBe(202)
  expect(sent).toHaveLength(1)
})

test('a repetition that Twilio refuses leaves the doubt about the first, which its list shows late', async () => {
  const number = phone()
  losing = { status: 502, text: '<html>Bad gateway</html>' }
  await send(number)
  losing = undefined
  const late = sent.splice(0)
  provider.nextTo(/^POST /, { status: 400, json: { code: 30034 } })
  expect((await send(number)).refusal).toMatchObject({
    code: 'sms_failed',
    errors: [{ message: expect.stringMatching(/A2P 10DLC.*whether the earlier try worked/) }],
  })
  sent.push(...late)
  expect((await send(number)).status).toBe(202)
  expect(sent).toHaveLength(1)
})

test('the service’s word about another sending of a message that is known by its own id changes nothing', async () => {
  const number = phone()
  await send(number)
  const [request] = provider.requests
  const callback = new URLSearchParams(request?.text).get('StatusCallback') ?? ''
  const other = { MessageSid: 'SM-other', MessageStatus: 'undelivered', ErrorCode: '30006' }
  expect((await tellStatus(desk, callback, other)).status).toBe(204)
  expect(await stored(number)).toMatchObject([{ state: 'sent', error: null, service_id: sent[0]?.sid }])
})

test('silence before the effect: the next try sends it, once', async () => {
  const number = phone()
  provider.next('hang')
  expect((await send(number)).status).toBe(502)
  expect((await send(number)).status).toBe(202)
  expect(sent).toHaveLength(1)
})

test('another message to the same phone is not taken for the lost one', async () => {
  const number = phone()
  provider.next('drop')
  expect((await send(number)).status).toBe(502)
  sent.push({
    sid: 'SM-other',
    to: number,
    body: 'Other words',
    date_created: new Date(desk.clock.nowMs()).toUTCString(),
  })
  expect((await send(number)).status).toBe(202)
  expect(sent.map(({ body }) => body)).toEqual(['Other words', message])
})

test('429 with Retry-After is waited for', async () => {
  provider.next({ status: 429, headers: { 'retry-after': '1' }, json: { code: 20429 } })
  expect((await send(phone())).status).toBe(202)
  expect(sent).toHaveLength(1)
})

test('signed status callbacks move a message only forwards, in any number and however late', async () => {
  const number = phone()
  await send(number)
  const MessageSid = sent[0]?.sid ?? ''
  expect((await callBack('status', { MessageSid, MessageStatus: 'delivered' })).status).toBe(204)
  for (const MessageStatus of ['sent', 'delivered', 'failed', 'read'])
    expect((await callBack('status', { MessageSid, MessageStatus, ErrorCode: '30003' })).status).toBe(204)
  expect(await stored(number)).toMatchObject([{ state: 'delivered', error: null }])

  const other = phone()
  await send(other)
  await callBack('status', {
    MessageSid: sent[1]?.sid ?? '',
    MessageStatus: 'undelivered',
    ErrorCode: '30006',
  })
  expect(await stored(other)).toMatchObject([{ state: 'failed', error: expect.stringContaining('landline') }])
})

test('a signed STOP is respected; a wrong signature changes nothing', async () => {
  const number = phone()
  const stop = { From: number, Body: 'Stop', MessageSid: 'SM9' }
  const wrong = twilioSignature('another-token', `${publicUrl}/providers/v1/texts/twilio/replies`, stop)
  for (const signature of ['', wrong]) expect((await callBack('replies', stop, signature)).status).toBe(403)
  expect((await send(number)).status).toBe(202)
  expect((await callBack('replies', stop)).status).toBe(204)
  expect((await send(number)).refusal.code).toBe('phone_opted_out')
  await callBack('replies', { ...stop, Body: 'START' })
  expect((await send(number)).status).toBe(202)
})

test('the signature matches the example in Twilio’s documents', () => {
  const fields = {
    CallSid: 'CA1234567890ABCDE',
    Caller: '+14158675309',
    Digits: '1234',
    From: '+14158675309',
    To: '+18005551212',
  }
  const signature = twilioSignature('12345', 'https://mycompany.com/myapp.php?foo=1&bar=2', fields)
  expect(signature).toBe('RSOYDt4T1cUTdK1PDd93/VVr8B8=')
})

test('without an answer nothing was sent, and the next try sends it', async () => {
  const gone = await startLoopback(() => ({ json: {} }))
  await gone.stop()
  const alone = await desk.another({ TWILIO_URL: gone.url })
  const number = phone()
  const refused = await alone.call('POST /m/v2/sms', { as: shop.member, body: { number, message } })
  expect([refused.status, refused.refusal.errors]).toEqual([
    502,
    [{ message: expect.stringContaining('Twilio cannot be reached. Nothing was done.') }],
  ])
  expect((await send(number)).status).toBe(202)
  expect(sent).toHaveLength(1)
})
