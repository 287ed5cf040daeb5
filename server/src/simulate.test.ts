import { spawn } from 'node:child_process'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { openDesk, type Desk, type Shop } from '../test/desk.ts'
import { eventually } from '../test/eventually.ts'

let desk: Desk
let shop: Shop
beforeAll(async () => {
  desk = await openDesk()
})
beforeEach(async () => {
  shop = await desk.openShop()
})
afterAll(() => desk.stop())

function simulate(args: readonly string[], env: Record<string, string> = {}) {
  const file = fileURLToPath(new URL('./simulate.ts', import.meta.url))
  const child = spawn(process.execPath, [file, '--merchant', shop.key, '--seed', '3', ...args], {
    env: { ...process.env, ...env },
  })
  let out = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (out += text))
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve))
  onTestFinished(() => void child.kill('SIGKILL'))
  return { child, ended, out: () => out }
}

async function listed() {
  const { body } = await desk.call('GET /m/v2/merchant/{tmk}/orders/optimized', {
    as: shop.member,
    params: { tmk: shop.key },
    query: { limit: 100 },
  })
  return body.items
}

async function statusOf(id: string) {
  const { body } = await desk.call('GET /m/v2/orders/{id}', { as: shop.member, params: { id } })
  return body.status
}

const update = (id: string, body: object) =>
  desk.call('PUT /m/v2/orders/{id}', { as: shop.member, params: { id }, body: body as never })

test('orders come in, are paid once accepted, and delivered once shipped, until Ctrl-C', async () => {
  const run = simulate(['--rate', '2/s', '--pace', '50', '--url', desk.url])
  const parcel = await eventually(async () => {
    const found = (await listed()).find(
      ({ delivery, items }) => delivery.method === 'shipped' && items.length > 0,
    )
    expect(found).toBeDefined()
    return found
  })
  const { id = '' } = parcel ?? {}
  const until = async (...statuses: string[]) =>
    eventually(async () => expect(statuses).toContain(await statusOf(id)))
  const accepted = await update(id, { status: 'MERCHANT_ACCEPTED' })
  // The picked order may belong to a customer who cancels.
  if (accepted.status === 200) {
    await until('PAYMENT_APPROVED', 'CANCELLED')
    const tracking = { tracking_provider: 'UPS', tracking_id: `1Z${id}` }
    const shipped = await update(id, { status: 'MERCHANT_SHIPPED', order: tracking })
    if (shipped.status === 200) await until('CLOSED')
  }
  run.child.kill('SIGINT')
  expect(await run.ended).toBe(0)
  expect(run.out()).toMatch(/Ended: \d+ sent/)
  expect(run.out()).toContain(`#${id} sent: Shipping`)
})

test('an order whose answer was lost is not sent twice', async () => {
  const before = (await listed()).length
  const keys: string[] = []
  let isBroken = true
  // A proxy that breaks the connection after the server has done its work.
  const between = http.createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (text: string) => (body += text))
    request.on('end', async () => {
      const { method = '', url = '', headers } = request
      const key = String(headers['idempotency-key'] ?? '')
      if (method === 'POST') keys.push(key)
      const answer = await fetch(`${desk.url}${url}`, {
        method,
        headers: {
          authorization: String(headers.authorization),
          ...(method === 'POST' ? { 'content-type': 'application/json', 'idempotency-key': key } : {}),
        },
        ...(method === 'POST' ? { body } : {}),
      })
      const text = await answer.text()
      if (isBroken && method === 'POST') {
        isBroken = false
        return request.socket.destroy()
      }
      return response.writeHead(answer.status, { 'content-type': 'application/json' }).end(text)
    })
  })
  await new Promise<void>((resolve) => between.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(between.address() as AddressInfo).port}`
  const run = simulate(['--rate', '20/min', '--url', url])
  await eventually(() => expect(keys.length).toBeGreaterThanOrEqual(2))
  await eventually(() => expect(run.out()).toMatch(/#\d+ sent/))
  run.child.kill('SIGINT')
  expect(await run.ended).toBe(0)
  expect(run.out()).toContain('trying again with the same keys')
  expect(keys[1]).toBe(keys[0])
  expect(await listed()).toHaveLength(before + new Set(keys).size)
  between.closeAllConnections()
  between.close()
})

test('a wrong credential or rate ends it with a sentence', async () => {
  const wrongRate = simulate(['--rate', 'often', '--url', desk.url])
  expect(await wrongRate.ended).toBe(2)
  expect(wrongRate.out()).toContain('--rate must be such as 30/min')
  const stranger = simulate(['--url', desk.url], { MARKETPLACE_CREDENTIAL: 'some:body' })
  expect(await stranger.ended).toBe(1)
  expect(stranger.out()).toContain('answered 401')
})
