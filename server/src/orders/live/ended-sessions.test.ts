import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  applicationCredential,
  openTurnableDesk,
  password,
  type Desk,
  type Person,
  type TurnableDesk,
} from '../../../test/desk.ts'
import { listen } from '../../../test/event-reader.ts'
import { sessionCheckMs } from './event-stream.ts'

let desk: TurnableDesk
let second: Desk
beforeAll(async () => {
  desk = await openTurnableDesk()
  second = await desk.another()
})
afterAll(async () => desk.stop())

async function signInAgain(person: Person): Promise<Person> {
  const { body } = await desk.call('POST /a/v2/sessions', {
    as: applicationCredential,
    body: { email: person.email, password },
  })
  return { ...person, token: body.token }
}

const endings = {
  'signs out': {
    endsAll: false,
    run: (at: Desk, person: Person) => at.call('POST /a/v2/logout', { as: person, body: {} }),
  },
  'changes the password': {
    endsAll: true,
    run: (at: Desk, person: Person) =>
      at.call('POST /a/v2/users/{id}', {
        as: person,
        params: { id: person.id },
        body: { password, new_password: 'another-password-for-tests' },
      }),
  },
} as const

test.each(Object.keys(endings) as (keyof typeof endings)[])(
  'a person who %s is refused at the next request and receives nothing more, at whichever server',
  async (name) => {
    const { endsAll, run } = endings[name]
    for (const [at, far] of [
      [desk, second],
      [second, desk],
    ] as const) {
      const shop = await desk.openShop()
      const person = shop.member
      const elsewhere = await signInAgain(person)
      const own = [
        await listen(at, { key: shop.key, as: person }),
        await listen(far, { key: shop.key, as: person }),
      ]
      const others = [
        await listen(at, { key: shop.key, as: elsewhere }),
        await listen(far, { key: shop.key, as: elsewhere }),
      ]
      const colleague = await listen(far, { key: shop.key, as: shop.owner })
      const { status } = await run(at, person)
      expect(status).toBeLessThan(300)
      for (const server of [at, far]) {
        const next = await server.call('GET /m/v2/merchant/{tmk}/orders/count', {
          as: person,
          params: { tmk: shop.key },
        })
        expect(next.status).toBe(401)
      }
      await desk.turn(sessionCheckMs)
      await Promise.all([...own, ...(endsAll ? others : [])].map(({ ended }) => ended))
      const order = await desk.order(shop)
      const hears = [colleague, ...(endsAll ? [] : others)]
      for (const reader of hears) await reader.next(({ data }) => (data as { id?: string }).id === order.id)
      for (const reader of own) expect(JSON.stringify(reader.events)).not.toContain(order.id)
      for (const reader of [...hears, ...others]) await reader.cut()
    }
  },
)

test('open streams are checked often enough to end within the promised 5 seconds', () => {
  expect(sessionCheckMs).toBeLessThanOrEqual(4_000)
})

test('a session that moves to another merchant receives nothing more of the first one', async () => {
  const [shop, other] = [await desk.openShop(), await desk.openShop()]
  const reader = await listen(second, { key: shop.key, as: shop.member })
  await desk.owner.query('update users set merchant_id = $2 where user_id = $1', [shop.member.id, other.key])
  await desk.turn(sessionCheckMs)
  await reader.ended
})
