import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { endpointGroups, endpoints } from '@cellarhand/contract/endpoints'
import { refusals } from '@cellarhand/contract/refusals'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { emailKey, hashPassword } from '#sign-in/public.ts'
import { openDesk, type Desk } from '../../test/desk.ts'

interface Description {
  openapi: string
  info: { title: string; description: string }
  tags: { name: string }[]
  paths: Record<string, Record<string, { summary: string; security: unknown[]; tags: string[] }>>
}

let desk: Desk
let described: Description
beforeAll(async () => {
  desk = await openDesk({ TRUST_PROXY: '1' })
  described = (await desk.call('GET /docs/openapi.json')).body as Description
})
afterAll(async () => desk.stop())

test('GAP-28 the description of the interface has every call of the contract, and no other', async () => {
  const { openapi, paths } = described
  expect(openapi).toBe('3.1.0')
  const calls = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  )
  expect(calls.toSorted()).toEqual(endpoints.map(({ call }) => call).toSorted())
  for (const { call, access, summary } of endpoints) {
    const [method = '', path = ''] = call.split(' ')
    const operation = paths[path]?.[method.toLowerCase()]
    expect([call, operation?.summary]).toEqual([call, summary])
    expect([call, operation?.security.length]).toEqual([
      call,
      ['public', 'provider', 'signed-link'].includes(access) ? 0 : 1,
    ])
  }
})

test('the description is made once for all who ask, and names the server as each of them does', async () => {
  const made = vi.spyOn(JSON, 'stringify')
  const ask = async (host: string) => {
    const { text } = await desk.send('GET', '/docs/openapi.json', { headers: { 'x-forwarded-host': host } })
    return JSON.parse(text) as Description & { servers: unknown }
  }
  const answers = [await ask('one.example.com'), await ask('two.example.com')]
  const remade = made.mock.calls.filter(([value]) => (value as Partial<Description> | undefined)?.openapi)
  made.mockRestore()
  expect(remade).toEqual([])
  expect(answers.map(({ servers }) => servers)).toEqual([
    [{ url: 'http://one.example.com' }],
    [{ url: 'http://two.example.com' }],
  ])
})

test('answers share the memory of one description, since thousands may wait for their readers', async () => {
  const memories = new Set<ArrayBufferLike>()
  const note = (chunk: unknown) => chunk instanceof Uint8Array && memories.add(chunk.buffer)
  const { write, end } = ServerResponse.prototype
  const spies = [
    vi.spyOn(ServerResponse.prototype, 'write').mockImplementation(function (this: ServerResponse, ...given) {
      note(given[0])
      return write.apply(this, given as never)
    }),
    vi.spyOn(ServerResponse.prototype, 'end').mockImplementation(function (this: ServerResponse, ...given) {
      note(given[0])
      return end.apply(this, given as never)
    }),
  ]
  const lengths = []
  for (const host of ['one.example.com', 'two.example.com', 'three.example.com']) {
    const headers = { 'x-forwarded-host': host, 'accept-encoding': 'identity' }
    const { text } = await desk.send('GET', '/docs/openapi.json', { headers })
    lengths.push(text.length)
  }
  for (const spy of spies) spy.mockRestore()
  const held = [...memories].reduce((sum, memory) => sum + memory.byteLength, 0)
  expect(held).toBeGreaterThanOrEqual(Math.max(...lengths))
  expect(held).toBeLessThan(1.5 * Math.max(...lengths))
})

test('every call is in one group, and the chapters are those that a client needs', () => {
  expect(endpointGroups.flatMap((group) => group.endpoints).length).toBe(endpoints.length)
  expect(described.tags.map(({ name }) => name)).toEqual(endpointGroups.map(({ name }) => name))
  const chapters = [...described.info.description.matchAll(/^# (.+)$/gm)].map(([, title]) => title)
  expect(chapters).toEqual([
    'Authentication',
    'Idempotency',
    'Errors',
    'Webhooks',
    'Versions',
    'A worked example',
  ])
})

test('the server answers every code that the chapters name', () => {
  const named = [...described.info.description.matchAll(/`([a-z]+(?:_[a-z]+)+)`/g)].map(([, code]) => code)
  const codes = named.filter((code = '') => /request|idempotency_key|validation/.test(code))
  expect(codes.length).toBeGreaterThan(1)
  for (const code of codes) expect(Object.keys(refusals)).toContain(code)
  for (const code of Object.keys(refusals)) expect(described.info.description).toContain(`| \`${code}\` | `)
})

test('the documentation’s worked example runs as printed', async () => {
  await desk.openShop('demo')
  await desk.owner.query(
    'insert into users (user_id, merchant_id, email, email_key, first_name, last_name, password_hash, roles) values ($1, $2, $3, $4, $5, $6, $7, $8)',
    [
      'u-member',
      'demo',
      'member@demo.test',
      emailKey('member@demo.test'),
      'Aiko',
      'Lindqvist',
      await hashPassword('cellarhand-demo'),
      ['merch.user'],
    ],
  )
  const program = /```js\n(.+?)```/s.exec(described.info.description)?.[1] ?? ''
  const folder = await mkdtemp(join(tmpdir(), 'example-'))
  try {
    const file = join(folder, 'example.mjs')
    await writeFile(file, program)
    const { stdout } = await promisify(execFile)(process.execPath, [file, desk.url])
    const said = stdout.trim().split('\n')
    expect(said.map((line) => line.replace(/^#\d+ /, ''))).toEqual([
      'SUBMITTED',
      'MERCHANT_ACCEPTED',
      'MERCHANT_SHIPPED',
      'CLOSED',
    ])
  } finally {
    await rm(folder, { recursive: true })
  }
})
