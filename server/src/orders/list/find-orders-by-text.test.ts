import type pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDesk, type Desk } from '../../../test/desk.ts'

let desk: Desk
let client: pg.PoolClient

const wholeShop = 'whole'
const orders = 25_000

beforeAll(async () => {
  desk = await openDesk()
  client = await desk.owner.connect()
  for (const shop of [wholeShop, 'wholesale'])
    await client.query(
      `insert into order_search (merchant_id, order_id, submitted_at, names, email)
       select $1, $1 || n, timestamptz '2026-01-01' + n * interval '1 minute',
         case when n % 10 = 0 then 'ana rossi' when n % 500 = 7 then 'zoe o''hara' when n < 3 then '田中 太郎' else 'lee ' || n end,
         n || '%_\\@mail.example'
       from generate_series(1, ${orders}) n`,
      [shop],
    )
  await client.query(`select set_config('app.merchant', $1, false)`, [wholeShop])
})
afterAll(async () => {
  client.release(true)
  await desk.stop()
})

const texts: [column: 'names' | 'email', wanted: string][] = [
  ['names', 'rossi'],
  ['names', 'ana'],
  ['names', "o'hara"],
  ['names', 'lee 2'],
  ['names', 'lee 24999'],
  ['names', 'lee 3'],
  ['names', '田中 太'],
  ['names', 'ee 2499'],
  ['names', 'nobody'],
  ['names', 'zo\nhara'],
  ['names', 'a\nros'],
  ['names', 'le\n2499'],
  ['names', 'e\n9'],
  ['names', 'hara\nzoe'],
  ['email', '1%_\\@'],
  ['email', '%%%'],
  ['email', '@mail.example'],
]

test.for(texts)(
  'SEARCH-002 SEARCH-003 in a big shop %s with "%s" gives its newest hits, for any number of them',
  async ([column, wanted]) => {
    for (const howMany of [5, 31, 3001]) {
      const { rows } = await client.query<{ id: string }>(
        'select id from find_orders_by_text($1, $2, $3, $4) id',
        [wholeShop, column, wanted, howMany],
      )
      const { rows: expected } = await client.query<{ id: string }>(
        `select order_id as id from order_search where merchant_id = $1 and position(split_part($2, E'\n', 1) in ${column}) > 0
         and position(split_part($2, E'\n', 2) in substr(${column}, position(split_part($2, E'\n', 1) in ${column}) + length(split_part($2, E'\n', 1)))) > 0
       order by submitted_at desc, order_id desc limit $3`,
        [wholeShop, wanted, howMany],
      )
      expect(rows).toEqual(expected)
    }
  },
)

test('GEN-007 a search as another merchant is refused', async () => {
  await expect(client.query(`select find_orders_by_text('wholesale', 'names', 'rossi', 5)`)).rejects.toThrow(
    'its own merchant',
  )
})

test('SEARCH-002 a text that many orders have, but none of the newest, is looked for from the newest on and not by its parts', async () => {
  const shop = 'burst'
  await client.query(
    `insert into order_search (merchant_id, order_id, submitted_at, names, email)
     select $1, $1 || n, timestamptz '2026-01-01' + n * interval '1 minute',
       case when n = 5 then 'kim unseen' when n = 7 then 'nakros' when n in (40007, 40008) then 'dee rossi'
         when n <= 30000 then 'ana rossi' else 'dee nakamura' end, n || '@mail.example'
     from generate_series(1, 60000) n`,
    [shop],
  )
  await client.query('analyze order_search')
  await client.query(`select set_config('app.merchant', $1, false)`, [shop])
  const found = async (wanted: string) => {
    const { rows } = await client.query<{ id: string }>(
      `select id from find_orders_by_text($1, 'names', $2, 11) id`,
      [shop, wanted],
    )
    return rows.map(({ id }) => id)
  }
  const lookedUp = async () => {
    await client.query('select pg_stat_force_next_flush()')
    const { rows } = await client.query<{ n: string }>(
      `select idx_scan as n from pg_stat_user_indexes where indexrelname = 'order_search_name_parts'`,
    )
    return Number(rows[0]?.n)
  }
  const before = await lookedUp()
  const older = Array.from({ length: 9 }, (_, place) => `${shop}${30000 - place}`)
  expect(await found('rossi')).toEqual([`${shop}40008`, `${shop}40007`, ...older])
  expect(await lookedUp()).toBe(before)
  expect(await found('unseen')).toEqual([`${shop}5`])
  expect(await lookedUp()).toBeGreaterThan(before)
  const again = await lookedUp()
  expect(await found('kim\nseen')).toEqual([`${shop}5`])
  expect(await lookedUp()).toBeGreaterThan(again)
  // Many orders have each of its parts, and one has all.
  expect(await found('nakros')).toEqual([`${shop}7`])
})
