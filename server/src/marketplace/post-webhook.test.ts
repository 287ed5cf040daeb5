import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PostLimits } from '#platform/outside/guarded-post.ts'
import { isLoopbackAddress, isPublicAddress } from '#platform/outside/public-address.ts'
import { postWebhook, signWebhook } from './post-webhook.ts'
import { systemClock } from '../platform/clock/system-clock.ts'

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
let receiver: http.Server
let port: number
let answer: http.RequestListener
let calls = 0

beforeAll(async () => {
  receiver = http.createServer((request, response) => {
    calls++
    answer(request, response)
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  port = (receiver.address() as AddressInfo).port
})
afterAll(() => {
  receiver.closeAllConnections()
  receiver.close()
})

function send(url: string, limits: Partial<PostLimits> = {}) {
  const message = { url: new URL(url), secrets: [secret], id: 'evt_1', position: 1, body: '{}' }
  return postWebhook(message, { clock: systemClock, timeoutMs: 2_000, allowLoopback: true, ...limits })
}

test('the signature matches the Standard Webhooks specification', () => {
  const signature = signWebhook('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', {
    id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    timestamp: 1614265330,
    body: '{"test": 2432232314}',
  })
  expect(signature).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=')
})

test('the server gives up in time on a receiver that is silent or trickles its answer', async () => {
  answer = () => undefined
  await expect(send(`http://127.0.0.1:${port}/`, { timeoutMs: 150 })).rejects.toThrow(
    'No answer within 150 ms',
  )
  answer = (_request, response) => {
    response.writeHead(200)
    const timer = setInterval(() => response.write('.'), 20)
    response.on('close', () => clearInterval(timer))
  }
  await expect(send(`http://127.0.0.1:${port}/`, { timeoutMs: 200 })).rejects.toThrow(
    'No answer within 200 ms',
  )
})

test('the server reads no more than 64 kB of an answer', async () => {
  let written = 0
  answer = (_request, response) => {
    response.writeHead(200)
    const timer = setInterval(() => {
      written += 65_536
      response.write(Buffer.alloc(65_536))
    }, 5)
    response.on('close', () => clearInterval(timer))
  }
  await expect(send(`http://127.0.0.1:${port}/`)).resolves.toMatchObject({ status: 200 })
  await new Promise((resolve) => setTimeout(resolve, 100))
  const after = written
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect(written).toBe(after)
})

test('the server calls no private address, by number or by name, and none without encryption', async () => {
  answer = (_request, response) => response.end()
  calls = 0
  const limits = { allowLoopback: false }
  for (const url of [
    `https://127.0.0.1:${port}/`,
    `https://localhost:${port}/`,
    `https://[::1]:${port}/`,
    `https://[::ffff:127.0.0.1]:${port}/`,
    `https://0x7f000001:${port}/`,
    'https://169.254.169.254/latest/meta-data',
    `http://8.8.8.8:${port}/`,
  ])
    await expect(send(url, limits)).rejects.toThrow('not a public https address')
  await expect(send(`https://10.0.0.1:${port}/`)).rejects.toThrow('not a public https address')
  expect(calls).toBe(0)
})

test('a broken connection is an error with words', async () => {
  answer = (request) => request.socket.destroy()
  await expect(send(`http://127.0.0.1:${port}/`)).rejects.toThrow(/hang up|ECONNRESET/)
})

test('public addresses differ from all others', () => {
  const open = [
    '8.8.8.8',
    '1.1.1.1',
    '172.15.255.255',
    '172.32.0.1',
    '100.128.0.1',
    '2606:4700::1111',
    '2a00:1450::1',
  ]
  const closed = [
    '0.0.0.0',
    '10.1.2.3',
    '100.64.0.1',
    '127.0.0.1',
    '169.254.1.1',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '192.0.2.1',
    '198.18.0.1',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    'fc00::1',
    'fd12::1',
    'fe80::1',
    'fe80::1%eth0',
    'ff02::1',
    '64:ff9b::8.8.8.8',
    '64:ff9b:1::1',
    '::ffff:8.8.8.8',
    '::ffff:10.0.0.1',
    '::8.8.8.8',
    '2001:db8::1',
    '2001::1',
    '2002:7f00:1::',
    '100::1',
    '',
    'localhost',
    '1.2.3',
    '4.4.4.4.4',
  ]
  expect(open.filter((address) => !isPublicAddress(address))).toEqual([])
  expect(closed.filter(isPublicAddress)).toEqual([])
  expect(['127.0.0.1', '127.9.9.9', '::1'].every(isLoopbackAddress)).toBe(true)
  expect(['8.8.8.8', '::', '10.0.0.1', '::ffff:127.0.0.1'].some(isLoopbackAddress)).toBe(false)
})
