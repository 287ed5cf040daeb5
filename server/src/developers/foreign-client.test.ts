import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { openDesk, password } from '../../test/desk.ts'
import { anOrder } from '../../test/orders.ts'

const packages = fileURLToPath(new URL('../../../node_modules', import.meta.url))
const generator = join(packages, '@hey-api/openapi-ts/bin/run.js')
const compiler = join(packages, 'typescript/bin/tsc')

/** Runs a program of Node in the folder; a failure says what it printed. */
async function run(folder: string, ...args: string[]): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)(process.execPath, args, {
      cwd: folder,
      maxBuffer: 10_000_000,
    })
    return stdout
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string }
    throw new Error(`${args.join(' ')} failed:\n${stdout.slice(0, 5000)}\n${stderr.slice(0, 5000)}`, {
      cause: error,
    })
  }
}

const program = (facts: Record<string, unknown>) => `
import { createClient } from './client/client/index.ts'
import * as desk from './client/sdk.gen.ts'
import type { NewOrder } from './client/types.gen.ts'

const { url: baseUrl, email, password, body } = ${JSON.stringify(facts)}
const newOrder: NewOrder = body
const marketplace = createClient({ baseUrl, auth: 'marketplace:marketplace' })
const app = createClient({ baseUrl, auth: 'dashboard:dashboard' })
const headers = { 'idempotency-key': newOrder.thirstie_logistic_order_ref }

const { data: created, response } = await desk.createOrder({ client: marketplace, body: newOrder, headers, throwOnError: true })
const path = { id: created.id }
const { data: session } = await desk.signIn({ client: app, body: { email, password }, throwOnError: true })
const clerk = createClient({ baseUrl, auth: session.token })
const accepted = await desk.updateOrder({ client: clerk, path, body: { status: 'MERCHANT_ACCEPTED' }, throwOnError: true })
const tracking = { tracking_provider: 'UPS', tracking_id: '1Z999AA10123456784' }
const shipped = await desk.updateOrder({ client: clerk, path, body: { status: 'MERCHANT_SHIPPED', order: tracking }, throwOnError: true })
const again = await desk.createOrder({ client: marketplace, body: newOrder })
const known = again.error !== undefined && 'order' in again.error ? again.error.order.id : undefined
const { data: listed } = await desk.listMarketplaceOrders({ client: marketplace, query: { ref: newOrder.thirstie_logistic_order_ref }, throwOnError: true })

console.log(JSON.stringify({
  statuses: [created.status, accepted.data.status, shipped.data.status],
  names: [created.id, known, listed.orders[0]?.id],
  hasRequestId: (response.headers.get('x-request-id') ?? '') !== '',
}))

export async function doesNotCompile(): Promise<void> {
  // @ts-expect-error: the body is required
  await desk.createOrder({ client: marketplace })
  // @ts-expect-error: this is no status of an order
  if (created.status === 'LOST') return
}
`

const settings = {
  compilerOptions: {
    target: 'es2024',
    lib: ['es2024', 'dom', 'dom.iterable'],
    types: [],
    module: 'nodenext',
    strict: true,
    noEmit: true,
    allowImportingTsExtensions: true,
    skipLibCheck: true,
  },
  include: ['program.ts', 'client'],
}

test('GAP-28 GAP-29 a client that another project makes of the description compiles, and places, accepts and ships an order', async () => {
  const desk = await openDesk()
  const folder = await mkdtemp(join(tmpdir(), 'client-'))
  onTestFinished(async () => {
    await desk.stop()
    await rm(folder, { recursive: true })
  })
  const shop = await desk.openShop()
  const write = (name: string, text: string) => writeFile(join(folder, name), text)
  const { text } = await desk.call('GET /docs/openapi.json')
  await write('openapi.json', text)
  const plugins = ['@hey-api/typescript', '@hey-api/sdk', '@hey-api/client-fetch']
  const output = { path: 'client', module: { extension: '.ts' } }
  await write(
    'settings.mjs',
    `export default ${JSON.stringify({ input: './openapi.json', output, plugins })}`,
  )
  await run(folder, generator, '--file', 'settings.mjs', '--no-log-file', '--silent')

  const body = anOrder(shop.key)
  await write('package.json', '{"type":"module"}')
  await write('program.ts', program({ url: desk.url, email: shop.member.email, password, body }))
  await write('tsconfig.json', JSON.stringify(settings))
  await run(folder, compiler, '-p', 'tsconfig.json')
  const said = JSON.parse(await run(folder, 'program.ts')) as {
    statuses: string[]
    names: string[]
    hasRequestId: boolean
  }
  expect(said.statuses).toEqual(['SUBMITTED', 'MERCHANT_ACCEPTED', 'MERCHANT_SHIPPED'])
  expect(said.hasRequestId).toBe(true)
  const { rows } = await desk.owner.query<{ id: string }>(
    'select order_id as id from orders where merchant_id = $1',
    [shop.key],
  )
  // The second request had no key, so it was refused with the order that has the reference.
  expect(said.names).toEqual([rows[0]?.id, rows[0]?.id, rows[0]?.id])
  expect(rows).toHaveLength(1)
})
