import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { endpoints } from '@cellarhand/contract/endpoints'
import { leastRole } from '@cellarhand/contract/permissions'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createBareHttp } from '../../../test/bare-http.ts'
import { liveSettings, openDesk, type Desk, type Shop } from '../../../test/desk.ts'
import { textOf } from '../../../test/refusals.ts'

let desk: Desk
let shop: Shop
beforeAll(async () => {
  desk = await openDesk()
  shop = await desk.openShop()
})
afterAll(async () => desk.stop())

interface Place {
  readonly desk: Desk
  readonly shop: Shop
}

async function callersOf({ desk: at, shop: own }: Place): Promise<Record<string, string | undefined>> {
  const other = await at.openShop()
  const left = await at.addPerson(own.key, 'merch.owner')
  await at.call('POST /a/v2/logout', { as: left })
  const bearer = (person: { token: string }) => `Bearer ${person.token}`
  const basic = (credential: string) => `Basic ${Buffer.from(credential).toString('base64')}`
  return {
    nobody: undefined,
    'bad token': 'Bearer not.a.token',
    'signed out': bearer(left),
    'no merchant': bearer(await at.addPerson(null, undefined)),
    member: bearer(own.member),
    manager: bearer(own.manager),
    owner: bearer(own.owner),
    'other owner': bearer(other.owner),
    application: basic(at.config.applicationCredential),
    marketplace: basic(at.config.marketplaceCredential),
  }
}

/** The call's address with the member's own id, the shop's key, and an order that does not exist. */
function addressOf(path: string, own: Shop): string {
  const isOfUser = path.startsWith('/a/v2/users/')
  const known: Record<string, string> = {
    tmk: own.key,
    id: isOfUser ? own.member.id : '9999999',
    name: 'welcome_message',
  }
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => known[name] ?? 'x')
}

/** The answer of the access check. The body is no JSON, so that a call which passes changes nothing. */
async function knock(place: Place, call: string, authorization: string | undefined): Promise<string> {
  const [method = '', path = ''] = call.split(' ')
  const ask = () =>
    fetch(new URL(addressOf(path, place.shop), place.desk.url), {
      method,
      headers: {
        ...(authorization === undefined ? {} : { authorization }),
        ...(method === 'GET' ? {} : { 'content-type': 'application/json' }),
      },
      ...(method === 'GET' ? {} : { body: '{' }),
    })
  let response = await ask()
  // On a busy machine some wait too long for a connection, and are asked to come again.
  for (let tries = 1; response.status === 503 && tries < 10; tries++) {
    await sleep(500)
    response = await ask()
  }
  await response.body?.cancel()
  if (response.status === 401 || response.status === 403) return String(response.status)
  if (response.status >= 500 && response.status !== 501) return `broken (${response.status})`
  return 'through'
}

async function matrixOf(place: Place): Promise<string> {
  const callers = await callersOf(place)
  const names = Object.keys(callers)
  const lines = [['', ...names]]
  for (const { call } of endpoints.toSorted((a, b) => a.call.localeCompare(b.call, 'en'))) {
    const answers = await Promise.all(names.map(async (name) => knock(place, call, callers[name])))
    lines.push([call, ...answers])
  }
  const [first = [], ...rest] = lines
  const widths = first.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)))
  const row = (line: string[]) =>
    line
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd()
  return [row(first), ...rest.map(row), ''].join('\n')
}

const fileOfDemo = 'access.matrix.txt'

test('GAP-163 GAP-31 GAP-29 TEAM-009 TEAM-010 TEAM-011 the access of each role to each call of the contract', async () => {
  await expect(await matrixOf({ desk, shop })).toMatchFileSnapshot(fileOfDemo)
})

test('GAP-163 GAP-29 outside the demo each role has the same access, the metrics are closed, and a payment needs its service', async () => {
  const live = await openDesk(liveSettings)
  try {
    const cellsOf = (matrix: string) => matrix.split('\n').map((line) => line.replaceAll(/ +/g, ' '))
    const inDemo = cellsOf(await readFile(new URL(fileOfDemo, import.meta.url), 'utf8'))
    const outside = cellsOf(await matrixOf({ desk: live, shop: await live.openShop() }))
    expect(outside).toHaveLength(inDemo.length)
    expect(outside.filter((line) => !inDemo.includes(line))).toEqual([
      `GET /metrics${' 401'.repeat(10)}`,
      'GET /v1/merchant/{tmk}/stripe 401 401 401 403 403 403 broken (502) 403 401 401',
    ])
  } finally {
    await live.stop()
  }
})

test('GAP-33 a refused caller learns nothing: 401 comes before the merchant’s key is looked up', async () => {
  const answers = await Promise.all(
    [shop.key, 'none', 'no-such-shop'].map(async (tmk) =>
      desk.call('GET /c/v2/merchants/{tmk}', { params: { tmk } }),
    ),
  )
  expect(new Set(answers.map((answer) => `${answer.status} ${textOf(answer)}`)).size).toBe(1)
  expect(answers[0]?.status).toBe(401)
})

test('API-003 a wrong Basic credential is refused, with a request for one', async () => {
  const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`
  for (const as of [
    undefined,
    basic('dashboard:wrong'),
    basic('dashboard'),
    basic(''),
    'Basic !',
    'Basic',
    basic('marketplace:marketplace'),
    `Bearer ${basic('dashboard:dashboard').slice(6)}`,
  ]) {
    const answer = await desk.call('POST /a/v2/sessions', { as, body: { email: 'a@b.co', password: 'x' } })
    expect([answer.status, answer.refusal.code]).toEqual([401, 'bad_client_credential'])
    expect(answer.headers.get('www-authenticate')).toBe('Basic realm="cellarhand"')
  }
})

describe('a server with an open gap does not start', () => {
  const http = () => createBareHttp()

  test('a route that is not in the contract', () => {
    expect(() => http().app.get('/bare', async () => 'open')).toThrow('not in the contract')
  })

  test('a call outside the contract, even a copy of one in it', () => {
    const [first] = endpoints
    if (first === undefined) throw new Error('The contract is empty')
    expect(() => http().serve({ ...first }, async () => ({}))).toThrow('not in the contract')
  })

  test('every call of the contract has a known policy', () => {
    const known = [
      'public',
      'application',
      'marketplace',
      'provider',
      'signed-link',
      'session',
      'self',
      ...Object.keys(leastRole),
    ]
    for (const { call, access } of endpoints)
      expect([call, known.includes(access.replace('self or ', ''))]).toEqual([call, true])
  })

  test('a callback of a provider is open to providers alone, and so waits in no line of strangers', () => {
    const callbacks = endpoints.filter(({ call }) => call.includes(' /providers/'))
    for (const { call, access } of callbacks) expect([call, access]).toEqual([call, 'provider'])
  })

  test('every call of the contract is served or answers 501, and no two share an address', () => {
    const { serveRest } = http()
    expect(serveRest().toSorted()).toEqual(endpoints.map(({ call }) => call).toSorted())
    expect(desk.app.unserved.every((call) => endpoints.some((endpoint) => endpoint.call === call))).toBe(true)
  })
})
