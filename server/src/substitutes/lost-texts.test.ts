import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTurnableDesk, type Shop, type TurnableDesk } from '../../test/desk.ts'
import {
  startLoopback,
  type Loopback,
  type LoopbackAnswer,
  type LoopbackRequest,
} from '../../test/processes/loopback.ts'
import { askingOf, holdGin, setSilence, stockGin } from '../../test/substitutes.ts'
import { tellStatus } from '../../test/providers/twilio-callbacks.ts'

interface Message {
  sid: string
  to: string
  body: string
  date_created: string
  status: string
  error_code: number
  callback: string
}

const undelivered = { MessageStatus: 'undelivered', ErrorCode: '30005' }
let provider: Loopback
let desk: TurnableDesk
let shop: Shop
let isAnswerLost = false
let tellsFirst = false
const sent: Message[] = []
beforeAll(async () => {
  provider = await startLoopback(twilio)
  desk = await openTurnableDesk({
    TWILIO_URL: provider.url,
    TWILIO_ACCOUNT_SID: 'AC1',
    TWILIO_AUTH_TOKEN: 'token-1',
    TWILIO_FROM: '+12125550100',
    PUBLIC_URL: 'http://127.0.0.1:4400',
  })
  shop = await desk.openShop()
  await stockGin(desk, shop)
  await setSilence(desk, shop, { minutes: 5, silence: 'reject' })
})
afterAll(async () => {
  await desk.stop()
  await provider.stop()
})

/** It takes each message and brings none to its phone. */
async function twilio({ method, text, query }: LoopbackRequest): Promise<LoopbackAnswer> {
  if (method === 'GET') return { json: { messages: sent.filter(({ to }) => to === query.get('To')) } }
  const form = new URLSearchParams(text)
  const message = {
    sid: `SM${sent.length + 1}`,
    to: form.get('To') ?? '',
    body: form.get('Body') ?? '',
    date_created: new Date(desk.clock.nowMs()).toUTCString(),
    status: 'undelivered',
    error_code: 30005,
    callback: form.get('StatusCallback') ?? '',
  }
  sent.push(message)
  if (tellsFirst) await tell(message)
  return isAnswerLost ? { status: 502, text: 'Bad Gateway' } : { status: 201, json: { sid: message.sid } }
}

const tell = async ({ sid, callback }: Message) =>
  expect((await tellStatus(desk, callback, { MessageSid: sid, ...undelivered })).status).toBe(204)

/** Asks about a substitute by a text that the service has taken; whether it says so first, and whether its answer is lost. */
async function ask(phone_number: string, { first, lost }: { first: boolean; lost: boolean }) {
  tellsFirst = first
  isAnswerLost = lost
  sent.length = 0
  const customer = { first_name: 'Dee', last_name: 'Nakamura', email: null, phone_number }
  const asking = askingOf(desk, shop, await holdGin(desk, shop, { customer }))
  expect((await asking.offer()).status).toBe(200)
  await desk.later(async () => expect(sent).toHaveLength(1))
  return asking
}

/** No text is left to be sent. */
async function allDone(): Promise<void> {
  const waiting = 'select from substitute_offers where text_due_at is not null'
  await desk.later(async () => expect((await desk.owner.query(waiting)).rows).toEqual([]))
}

test.each([
  ['the service says so before its answer', { first: true, lost: false }],
  ['the service says so, and its answer is lost', { first: true, lost: true }],
  ['the answer is lost, and nobody says so', { first: false, lost: true }],
])(
  'a text that did not arrive reaches nobody, and silence rejects no order: %s',
  async (_, { first, lost }) => {
    const asking = await ask('+12125550177', { first, lost })
    // The second try comes 20 seconds after the first.
    if (lost) await desk.turn(21_000)
    await allDone()
    await desk.turn(5 * 60_000)
    await desk.later(async () =>
      expect((await asking.read()).substitutes?.offers[0]?.state).not.toBe('offered'),
    )
    const { status, substitutes } = await asking.read()
    expect([status, substitutes?.offers[0]?.state]).toEqual(['REJECTED_PARTIAL', 'unreached'])
    expect(sent).toHaveLength(1)
  },
)

test('a repetition that the service refuses leaves the doubt about the first text, which its list shows late', async () => {
  const asking = await ask('+12125550181', { first: false, lost: true })
  const late = sent.splice(0).map((message) => ({ ...message, status: 'delivered', error_code: 0 }))
  provider.nextTo(/^POST /, { status: 400, json: { code: 30034 } })
  await desk.turn(21_000)
  const refused = "select from substitute_offers where text_due_at is not null and error like '%A2P%'"
  await desk.later(async () => expect((await desk.owner.query(refused)).rows).toHaveLength(1))
  sent.push(...late)
  await desk.turn(21_000)
  await allDone()
  expect(sent).toHaveLength(1)
  expect((await asking.read()).substitutes?.offers[0]).toMatchObject({ state: 'offered' })
})

test('a text that arrived before its phone opted out is found again', async () => {
  const number = '+12125550182'
  const asking = await ask(number, { first: false, lost: true })
  for (const message of sent) Object.assign(message, { status: 'delivered', error_code: 0 })
  await desk.owner.query("insert into text_opt_outs (number, said) values ($1, 'STOP')", [number])
  await desk.turn(21_000)
  await allDone()
  expect((await asking.read()).substitutes?.offers[0]).toMatchObject({ state: 'offered' })
})

test('a phone that opted out here gets no text, which counts as not reached', async () => {
  const number = '+12125550183'
  await desk.owner.query("insert into text_opt_outs (number, said) values ($1, 'STOP')", [number])
  sent.length = 0
  const customer = { first_name: 'Dee', last_name: 'Nakamura', email: null, phone_number: number }
  const asking = askingOf(desk, shop, await holdGin(desk, shop, { customer }))
  expect((await asking.offer()).status).toBe(200)
  await desk.turn(1_000)
  await allDone()
  expect(sent).toEqual([])
  await desk.turn(5 * 60_000)
  await desk.later(async () => expect((await asking.read()).substitutes?.offers[0]?.state).toBe('unreached'))
})

test('a text that arrived, by the service’s own word, is not sent again, even if the service no longer lists it', async () => {
  await ask('+12125550179', { first: false, lost: true })
  const [{ callback, sid } = { callback: '', sid: '' }] = sent.splice(0)
  expect((await tellStatus(desk, callback, { MessageSid: sid, MessageStatus: 'delivered' })).status).toBe(204)
  await desk.turn(21_000)
  await allDone()
  expect(sent).toEqual([])
})

test('a text that did not arrive, by the service’s own word, is not sent again, even if the service no longer lists it', async () => {
  const asking = await ask('+12125550180', { first: false, lost: true })
  for (const message of sent.splice(0)) await tell(message)
  await desk.turn(21_000)
  await allDone()
  expect(sent).toEqual([])
  await desk.turn(5 * 60_000)
  await desk.later(async () => expect((await asking.read()).substitutes?.offers[0]?.state).toBe('unreached'))
})

test('a text whose answer was lost is found again also when its time is no longer of another day', async () => {
  await setSilence(desk, shop, { minutes: 24 * 60, silence: 'reject' })
  await ask('+12125550178', { first: false, lost: true })
  const failed = 'select from substitute_offers where text_due_at is not null and error is not null'
  await desk.later(async () => expect((await desk.owner.query(failed)).rows).toHaveLength(1))
  isAnswerLost = false
  await desk.turn(23 * 3_600_000)
  await allDone()
  expect(sent).toHaveLength(1)
})
