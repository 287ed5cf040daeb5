import { viewNameLength, viewsAtMost, type ViewSearch } from '@cellarhand/contract/views'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDesk, type Desk, type Person, type Shop } from '../../test/desk.ts'

let desk: Desk
let shop: Shop
beforeAll(async () => {
  desk = await openDesk()
})
afterAll(async () => desk.stop())

const search: ViewSearch = { tab: 'active', due: 'late', method: 'on_demand', sort: 'desc' }

interface View {
  readonly name: unknown
  readonly is_shared?: boolean
  readonly replaces?: boolean
  readonly search?: object
}

const list = async (as: Person, tmk = shop.key) =>
  desk.call('GET /m/v2/merchant/{tmk}/views', { as, params: { tmk } })
const save = (as: Person, { is_shared = false, ...view }: View, headers: Record<string, string> = {}) =>
  desk.call('POST /m/v2/merchant/{tmk}/views', {
    as,
    params: { tmk: shop.key },
    body: { search, is_shared, ...view },
    headers,
  })
const rename = (as: Person, view: string, name: unknown) =>
  desk.call('PUT /m/v2/merchant/{tmk}/views/{view}', { as, params: { tmk: shop.key, view }, body: { name } })
const remove = (as: Person, view: string, tmk = shop.key) =>
  desk.call('DELETE /m/v2/merchant/{tmk}/views/{view}', { as, params: { tmk, view } })
const names = async (as: Person) => (await list(as)).body.views.map(({ name }) => name)
const idOf = async (as: Person, name: string) =>
  (await list(as)).body.views.find((view) => view.name === name)?.id ?? ''

test('a private view is its maker’s alone, and a shared one the team’s, by name', async () => {
  shop = await desk.openShop()
  expect((await save(shop.member, { name: ' Late couriers ' })).status).toBe(201)
  await save(shop.member, {
    name: 'a week ahead',
    is_shared: true,
    search: { tab: 'completed', mine: 'yes' },
  })
  const { body } = await list(shop.member)
  expect(body.views).toMatchObject([
    { name: 'a week ahead', search: { tab: 'completed', mine: 'yes' }, is_shared: true, can_change: true },
    { name: 'Late couriers', search, is_shared: false, can_change: true },
  ])
  const colleague = await desk.addPerson(shop.key, 'merch.user')
  expect((await list(colleague)).body.views).toMatchObject([{ name: 'a week ahead', can_change: false }])
  expect((await list(shop.manager)).body.views).toMatchObject([{ name: 'a week ahead', can_change: true }])
})

test('a shared view is renamed and removed by its maker and by managers, a private one by its maker', async () => {
  shop = await desk.openShop()
  const colleague = await desk.addPerson(shop.key, 'merch.user')
  await save(shop.member, { name: 'Shared', is_shared: true })
  await save(shop.member, { name: 'Private' })
  await save(shop.member, { name: 'Second' })
  const [shared, own] = [await idOf(shop.member, 'Shared'), await idOf(shop.member, 'Private')]
  for (const call of [rename(colleague, shared, 'Theirs'), remove(colleague, shared)])
    expect((await call).refusal.code).toBe('view_of_another')
  expect((await rename(shop.owner, own, 'Seen')).status).toBe(404)
  expect((await remove(shop.owner, own)).status).toBe(200)
  expect(await names(shop.member)).toEqual(['Private', 'Second', 'Shared'])
  expect((await rename(shop.manager, shared, 'Renamed')).status).toBe(200)
  expect((await rename(shop.member, own, 'second ')).refusal.code).toBe('view_name_taken')
  expect((await rename(shop.member, own, 'Renamed')).status).toBe(200)
  expect((await remove(shop.owner, shared)).status).toBe(200)
  expect((await remove(shop.owner, shared)).status).toBe(200)
  expect(await names(shop.member)).toEqual(['Renamed', 'Second'])
})

test('the same name twice is asked about, and replaces only with the caller’s word', async () => {
  shop = await desk.openShop()
  await save(shop.member, { name: 'Tonight', is_shared: true })
  const again = { name: ' tonight', is_shared: true, search: { tab: 'on_hold' } }
  const twice = await save(shop.member, again)
  expect([twice.status, twice.refusal.code]).toEqual([409, 'view_name_taken'])
  const colleague = await desk.addPerson(shop.key, 'merch.user')
  expect((await save(colleague, { ...again, replaces: true })).refusal.code).toBe('view_of_another')
  await save(shop.member, { ...again, replaces: true })
  expect((await list(shop.member)).body.views).toMatchObject([
    { name: 'tonight', search: { tab: 'on_hold' }, is_shared: true },
  ])
  const answers = await Promise.all(
    [shop.member, shop.owner].map((as) => save(as, { name: 'Both', is_shared: true })),
  )
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409])
  const headers = { 'idempotency-key': 'view-1' }
  const [one, two] = [
    await save(colleague, { name: 'Once' }, headers),
    await save(colleague, { name: 'Once' }, headers),
  ]
  expect([one.status, two.body]).toEqual([201, one.body])
})

test('a private view replaces no shared one of its name, and a manager replaces the shared one knowingly', async () => {
  shop = await desk.openShop()
  const maker = (await save(shop.member, { name: 'Friday', is_shared: true })).body.views[0]?.maker
  expect((await save(shop.manager, { name: 'friday', replaces: true })).status).toBe(201)
  expect((await list(shop.member)).body.views).toMatchObject([{ name: 'Friday', is_shared: true, maker }])
  const isShared = ({ body }: Awaited<ReturnType<typeof list>>) => body.views.map((view) => view.is_shared)
  expect(isShared(await list(shop.manager)).toSorted()).toEqual([false, true])

  const own = await save(shop.manager, { name: 'Friday' })
  expect(own.refusal.message).toBe('You have a private view “friday” already.')
  const shared = await save(shop.manager, { name: 'FRIDAY', is_shared: true })
  expect(shared.refusal.message).toBe(`The team has a view “Friday” already, shared by ${maker}.`)
  await save(shop.manager, { name: 'FRIDAY', is_shared: true, replaces: true })
  expect(await names(shop.member)).toEqual(['FRIDAY'])
  expect(isShared(await list(shop.manager)).toSorted()).toEqual([false, true])
})

test('a person’s own view stays theirs to replace when a colleague shares one of its name', async () => {
  shop = await desk.openShop()
  const colleague = await desk.addPerson(shop.key, 'merch.user')
  // Which of the two sorts first is chance, so it is tried with several names.
  for (const name of ['Friday', 'Late', 'Gifts', 'Night', 'Two', 'Six']) {
    await save(shop.manager, { name })
    expect((await save(colleague, { name, is_shared: true })).status).toBe(201)
    expect((await save(shop.manager, { name, replaces: true, search: { tab: 'on_hold' } })).status).toBe(201)
    await save(shop.member, { name })
    expect((await save(shop.member, { name, replaces: true })).status).toBe(201)
    const found = (await list(shop.manager)).body.views.filter((view) => view.name === name)
    expect(found.find(({ is_shared: isShared }) => isShared)).toMatchObject({ search })
    expect(found.find(({ is_shared: isShared }) => !isShared)).toMatchObject({ search: { tab: 'on_hold' } })
  }
})

test('names are text, whatever letters they have, and addresses only what a list can show', async () => {
  shop = await desk.openShop()
  const hostile = [
    '<script>alert(1)</script>',
    '"; drop table saved_views; --',
    '=cmd|x',
    '\u202Eright 🍷',
    'x'.repeat(viewNameLength),
  ]
  for (const name of hostile) expect([name, (await save(shop.member, { name })).status]).toEqual([name, 201])
  expect((await names(shop.member)).toSorted()).toEqual(hostile.toSorted())
  for (const name of ['', '  ', 'x'.repeat(viewNameLength + 1), 'a\0b', 7])
    expect([name, (await save(shop.member, { name })).status]).toEqual([name, 400])
  for (const wrong of [
    { tab: 'all' },
    { tab: 'active', brand: 'a b' },
    { tab: 'active', page: '1' },
    { tab: 'active', due: 'x' },
  ])
    expect([wrong, (await save(shop.member, { name: 'Other', search: wrong })).status]).toEqual([wrong, 400])
})

test('a person has so many views and a shop shares so many, also when two come at once', async () => {
  shop = await desk.openShop()
  await desk.owner.query(
    `insert into saved_views (merchant_id, view_id, maker_id, maker, name, search, is_shared)
     select $1, 'v-' || n, 'x', 'x', 'View ' || n, '{"tab":"active"}', true from generate_series(1, $2::int) n`,
    [shop.key, viewsAtMost - 1],
  )
  const answers = await Promise.all(
    [shop.member, shop.owner].map((as, index) => save(as, { name: `Last ${index}`, is_shared: true })),
  )
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409])
  expect(answers.find(({ status }) => status === 409)?.refusal.code).toBe('too_many_views')
  expect((await save(shop.member, { name: 'Private' })).status).toBe(201)
})

test('GEN-007 another merchant neither reads nor removes views', async () => {
  shop = await desk.openShop()
  const other = await desk.openShop()
  await save(shop.owner, { name: 'Ours', is_shared: true })
  const id = await idOf(shop.owner, 'Ours')
  expect((await list(other.owner)).status).toBe(403)
  expect((await list(other.owner, other.key)).body.views).toEqual([])
  expect((await remove(other.owner, id, other.key)).status).toBe(200)
  expect(await names(shop.owner)).toEqual(['Ours'])
})
