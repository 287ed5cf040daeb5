import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDesk, type Desk, type Shop } from '../../../test/desk.ts'
import { anOrder } from '../../../test/orders.ts'
import { selectHits } from './search-hits.ts'

let desk: Desk
let shop: Shop
beforeAll(async () => {
  desk = await openDesk()
  shop = await desk.openShop()
})
afterAll(async () => desk.stop())

async function orderOf(
  customer: [string, string],
  { recipient = ['', 'Nobody'], email = null as string | null } = {},
) {
  const [first_name = '', last_name = ''] = recipient
  const { id } = await desk.order(shop, {
    recipient: { ...anOrder('x').recipient, first_name, last_name },
    customer: { first_name: customer[0], last_name: customer[1], email },
  })
  return id
}

async function found(query: Record<string, string>): Promise<string[]> {
  const { body } = await desk.call('GET /m/v2/merchant/{tmk}/orders/optimize', {
    as: shop.member,
    params: { tmk: shop.key },
    query: { ...query, limit: 10, offset: 0 },
  })
  return body.items.map((order) => order.id)
}

const byName = (text: string) => found({ 'filter[recipient_name]': text })

test('SEARCH-002 GAP-90 "last, first" takes parts of both names of one person, in the sequence of the name', async () => {
  const maria = await orderOf(['Otto', 'Quarrington'], { recipient: ['Maria Elena', 'de la Cruzado'] })
  for (const text of [
    'de la Cruzado,Maria',
    'Cruzado, Maria Elena',
    'Cruzado, Maria',
    'la cruzado , ELENA',
    'Cruzado, M',
    'Quarrington, Ot',
  ])
    expect([text, await byName(text)]).toEqual([text, [maria]])
  for (const text of [
    'Maria, Cruzado',
    'Quarrington, Maria',
    'Cruzado, Otto',
    'Qu, La',
    'Cruzado, Ma%a',
    'Cruzado, Maria, E',
    'Maria\nCruzado',
    'Cruz_do, Maria',
  ])
    expect([text, await byName(text)]).toEqual([text, []])
})

test('a name of two short pieces is asked as one text, which the index has parts of', () => {
  const asked = (name: string) =>
    selectHits({ 'filter[recipient_name]': name, limit: 10, offset: 0 })?.values[4]
  expect([asked('Li, Bo'), asked('Cruzado, Bo')]).toEqual(['bo li', 'bo\ncruzado'])
})

test('GAP-90 a name with an apostrophe is found without one and with each kind of it, also in an older order', async () => {
  const kinds = ["'", '’', '‘', 'ʼ', '`', '′', '＇', '']
  const ids = await Promise.all(
    kinds.map((kind) =>
      orderOf(['Sinéad', `O${kind}Haraldsen`], { email: `o${kind}haraldsen@mail.example` }),
    ),
  )
  // No apostrophe: orders of earlier releases have a space there, too.
  const acute = await orderOf(['Sinéad', 'O´Haraldsen'])
  expect(await byName('sinead o´harald')).toEqual([acute])
  const expectAll = async () => {
    for (const kind of kinds) {
      expect([kind, new Set(await byName(`sinead o${kind}harald`))]).toEqual([kind, new Set(ids)])
      expect(new Set(await found({ 'filter[customer_email]': `o${kind}haraldsen@` }))).toEqual(new Set(ids))
    }
  }
  await expectAll()
  expect(await byName("'")).toEqual([])
  // As earlier releases kept them.
  for (const [index, kind] of kinds.entries())
    await desk.owner.query(
      `update order_search set names = replace(names, 'ohara', $2), email = replace(email, 'ohara', $2) where order_id = $1`,
      [ids[index], kind === '' ? 'ohara' : `o'hara`],
    )
  expect(await byName('oharaldsen')).toEqual([ids[kinds.length - 1]])
  const migration = new URL('../../../migrations/0109-names-without-apostrophes.sql', import.meta.url)
  await desk.owner.query(await readFile(migration, 'utf8'))
  await expectAll()
})

// With each name: texts that a clerk types who sees it on the screen, and the form in which earlier releases kept it.
const shown: [name: [string, string], texts: string[], earlier: string][] = [
  [
    ['Dee ', 'Wakamura'],
    ['Dee Wakamura', 'Wakamura Dee', 'Wakamura, Dee', 'Wakamura,', ' wakamura , '],
    'dee  wakamura',
  ],
  [['Jean  Luc', ' Pikard'], ['Jean Luc Pikard', 'Pikard, Jean Luc', 'jean  luc'], 'jean  luc  pikard'],
  [['Kim\t', 'Min\u00a0\u00a0Jiwoo\n'], ['Kim Min Jiwoo', 'Min Jiwoo, Kim'], 'kim\t min  jiwoo'],
  [['María', 'Núñez\u2010Penya'], ['Nunez-Penya, Maria', 'Núñez\u2013Penya'], 'maria nunez\u2010penya'],
  [['Lea', 'Smith\u2013Jonesy'], ['Smith-Jonesy', 'smith\u2011jonesy'], 'lea smith\u2013jonesy'],
  [
    ['Ed\u200b', 'Down\u00adeyson, Jr.,'],
    ['Ed Downeyson, Jr.', 'Downeyson,', 'Downeyson, Jr., Ed'],
    'ed\u200b down\u00adeyson, jr.,',
  ],
  [['Yan\n', 'Zhanglio'], ['Yan Zhanglio', 'Zhanglio, Yan'], 'yan\n zhanglio'],
  [['Abe\r\n', 'Zhanglio-Ortiz'], ['Abe Zhanglio-Ortiz'], 'abe\r\n zhanglio-ortiz'],
  [['Eleni', 'Νικος\u206a'], ['Νικοσ', 'ΝΙΚΟΣ', 'eleni νικος'], 'eleni νικος\u206a'],
  [['Ada', 'de ’ Vriesma'], ['Ada de Vriesma', 'de Vriesma, Ada'], "ada de ' vriesma"],
  [['Kit', 'O\uff40Wardell'], ['O\uff40Wardell, Kit', 'kit owardell'], 'kit o`wardell'],
  [['Cy', 'Lanfredi″Sons'], ['lanfredisons'], 'cy lanfredi′′sons'],
  [['Una', 'Mc\tAllister'], ['Mc Allister, Una', 'Una Mc Allister'], 'una mc\tallister'],
]

test('SEARCH-002 GAP-90 a name is found as the screen shows it, also in an older order', async () => {
  const emailOf = (last: string) => (/\s/.test(last) ? null : `${last}@mail.example`)
  const ids = await Promise.all(shown.map(([name]) => orderOf(name, { email: emailOf(name[1]) })))
  const mailed = await orderOf(['Ann', 'Plainly'], { email: "d'ann-plainly@mail.example" })
  const expectAll = async () => {
    for (const [index, [, texts]] of shown.entries())
      for (const text of texts) expect([text, await byName(text)]).toEqual([text, [ids[index]]])
    expect(await found({ 'filter[customer_email]': 'nunez-penya@mail' })).toEqual([ids[3]])
    expect(await found({ 'filter[customer_email]': 'dann-plainly@' })).toEqual([mailed])
  }
  await expectAll()
  for (const [index, [, [text = ''], earlier]] of shown.entries()) {
    await desk.owner.query(
      `update order_search set names = $2, email = replace(email, '-', '\u2010') where order_id = $1`,
      [ids[index], `nobody\n${earlier}`],
    )
    expect([text, await byName(text)]).toEqual([text, []])
  }
  // Nothing in the names says that the e-mail has a sign.
  await desk.owner.query('update order_search set email = $2 where order_id = $1', [
    mailed,
    "d'ann\u2010plainly@mail.example",
  ])
  for (const name of [
    '0107-names-as-screens-show-them',
    '0108-names-with-a-line-break',
    '0109-names-without-apostrophes',
    '0110-no-sign-left-in-a-name',
  ]) {
    const migration = new URL(`../../../migrations/${name}.sql`, import.meta.url)
    await desk.owner.query(await readFile(migration, 'utf8'))
  }
  await expectAll()
})
