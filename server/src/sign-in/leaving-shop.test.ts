import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { holdRows } from '../../test/database/held-rows.ts'
import { openDesk, password, type Desk, type Person, type Shop } from '../../test/desk.ts'
import { codeOf } from '../../test/one-time-code.ts'

let desk: Desk
let shop: Shop
let person: Person
/** Of the person's second step, when it is on. */
let secret: string
let recoveryCode: string
beforeAll(async () => {
  desk = await openDesk()
})
afterAll(async () => desk.stop())
beforeEach(async () => {
  shop = await desk.openShop()
  person = await desk.addPerson(shop.key, 'merch.user')
})

const params = () => ({ id: person.id })
const begin = () =>
  desk.call('POST /a/v2/users/{id}/two_step', { as: person, params: params(), body: { password } })
const confirm = () =>
  desk.call('POST /a/v2/users/{id}/two_step/confirmation', {
    as: person,
    params: params(),
    body: { code: codeOf(secret) },
  })
const renewCodes = () =>
  desk.call('POST /a/v2/users/{id}/two_step/recovery_codes', {
    as: person,
    params: params(),
    body: { password, code: recoveryCode },
  })
const remove = () =>
  desk.call('POST /a/v2/users/{id}/two_step/removal', {
    as: person,
    params: params(),
    body: { password, code: recoveryCode },
  })
const rename = () =>
  desk.call('POST /a/v2/users/{id}', { as: person, params: params(), body: { first_name: 'Eve' } })

async function turnOn(): Promise<void> {
  const { body } = await confirm()
  recoveryCode = body.recovery_codes[0] ?? ''
}

/** All that goes along to the other cell. */
async function bookOf(): Promise<unknown[]> {
  const { rows } = await desk.owner.query(
    `select row_to_json(u)::text as person,
       (select json_agg(c order by code_hash)::text from recovery_codes c where c.user_id = u.user_id) as codes,
       (select count(*)::int from outgoing_mails m where m.merchant_id = u.merchant_id) as mails
     from users u where user_id = $1`,
    [person.id],
  )
  return rows
}

test.each([
  ['the second step begun', begin, false],
  ['the second step confirmed', confirm, false],
  ['new recovery codes', renewCodes, true],
  ['the second step removed', remove, true],
  ['another name', rename, false],
])(
  'no change stays behind that began before the shop closed for its move: %s',
  async (_what, change, isOn) => {
    secret = (await begin()).body.secret
    if (isOn) await turnOn()
    const before = await bookOf()
    // The password is checked, and the session: the call waits for the record.
    const held = await holdRows(desk, 'select from users where user_id = $1 for update', [person.id])
    const late = change()
    await held.waiting(1)
    await desk.owner.query(
      `insert into merchant_moves (merchant_id, state, until) values ($1, 'leaving', now() + interval '1 hour')`,
      [shop.key],
    )
    await held.release()
    const { status, refusal } = await late
    expect([status, refusal.code]).toEqual([503, 'merchant_moving'])
    expect(await bookOf()).toEqual(before)
    await desk.owner.query('delete from merchant_moves where merchant_id = $1', [shop.key])
    expect((await change()).status).toBeLessThan(300)
  },
)
