import { spawn, spawnSync } from 'node:child_process'
import fs from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { liveSettings } from '../../test/desk.ts'
import { startFile } from '../../test/processes/run-command.ts'
import { errorFacts, sentenceOf } from './log.ts'
import { ProviderError } from './outside/provider-error.ts'

const hasTerminal = process.platform === 'linux' && spawnSync('script', ['--version']).status === 0
const main = fileURLToPath(new URL('../main.ts', import.meta.url))
const env = {
  ...liveSettings,
  // A demo would take its time to be filled.
  DEMO: '0',
  DATABASE_URL: '',
  // Otherwise the server warns that mails wait.
  SMTP_URL: 'smtp://127.0.0.1:9',
  MAIL_FROM: 'Cellarhand <desk@example.com>',
  DATA_DIR: '',
  PORT: '0',
  HOST: '127.0.0.1',
  LOG_LEVEL: 'info',
}

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cellarhand-log-'))
  fs.chmodSync(folder, 0o711)
  env.DATA_DIR = join(folder, 'data')
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const line = (facts: object) =>
  sentenceOf(`${JSON.stringify({ level: 30, time: '2026-11-23T12:00:00.000Z', ...facts })}\n`)

test('the log has no words of a provider, which repeat what was sent to it', () => {
  const said = Object.assign(new Error('550 <ada@example.com>: no such user. Key sk_live_123.'), {
    code: 'EENVELOPE',
  })
  const failure = new ProviderError({ provider: 'Mail', kind: 'rejected', status: 550, cause: said })
  expect(errorFacts(failure)).toMatchObject({ type: 'ProviderError', cause: 'EENVELOPE' })
  expect(JSON.stringify(errorFacts(failure))).not.toMatch(/ada@|sk_live/)
  const withoutCode = new ProviderError({
    provider: 'Stripe',
    kind: 'rejected',
    cause: new TypeError('of Ada'),
  })
  expect(errorFacts(withoutCode).cause).toBe('TypeError')
})

test('each line of the log reads as a sentence', () => {
  expect(line({ call: 'GET /m/v2/orders', status: 200, ms: 12 })).toMatch(
    /^\d\d:\d\d:\d\d GET \/m\/v2\/orders answered 200 in 12 ms\n$/,
  )
  expect(line({ level: 40, failures: { files: 'full' }, msg: 'this process is not ready' })).toMatch(
    /^\S+ Warning: this process is not ready, failures \{"files":"full"\}\n$/,
  )
  const err = {
    type: 'TypeError',
    message: 'no order',
    stack: 'TypeError: no order\n    at take (orders.ts:1:2)',
  }
  expect(line({ level: 50, err, requestId: 'r1', msg: 'unexpected error' })).toMatch(
    /^\S+ Error: unexpected error, TypeError: no order, requestId r1\n {4}at take \(orders\.ts:1:2\)\n$/,
  )
})

const listening = /Server listening at (http:\/\/[\d.:]+)/

/**
 * Asks for a page, stops the server, waits for its end and answers with what it said from the stop on. While a busy
 * machine starts it, its database may rightly be too slow for it.
 */
async function useAndStop(said: () => string, stop: () => void, ended: Promise<unknown>): Promise<string> {
  await expect.poll(said).toMatch(/Cellarhand is ready at http/)
  // The log has a stream of its own, which waits where the pipe is full.
  await expect.poll(said).toMatch(listening)
  const [, address] = listening.exec(said()) ?? []
  await fetch(`${address}/healthz`)
  await expect.poll(said).toContain('GET /healthz')
  const before = said().length
  stop()
  await ended
  return said().slice(before)
}

test('a log that goes into a file is JSON, without a warning or an error at a clean stop', async () => {
  const { child, ended } = startFile('main.ts', { env })
  let said = ''
  child.stdout?.on('data', (text: Buffer) => (said += String(text)))
  const atTheEnd = await useAndStop(
    () => said,
    () => child.kill('SIGTERM'),
    ended,
  )
  const { code, out, err } = await ended
  expect({ code, err }).toEqual({ code: 0, err: '' })
  const lines = out.split('\n').filter((each) => each.startsWith('{'))
  expect(lines.map((each) => (JSON.parse(each) as { call?: string }).call)).toContain('GET /healthz')
  expect(atTheEnd, atTheEnd).not.toMatch(/"level":[456]0/)
})

test.skipIf(!hasTerminal)(
  'a person at a terminal reads sentences, and none of an error after Ctrl-C',
  async () => {
    const child = spawn('script', ['-qec', `exec "${process.execPath}" "${main}"`, '/dev/null'], {
      env: { ...process.env, ...env },
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    let said = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => (said += text))
    const ended = new Promise((resolve) => child.on('close', resolve))
    const atTheEnd = await useAndStop(
      () => said,
      () => child.stdin.write('\u0003'),
      ended,
    )
    expect(said).toMatch(/\d\d:\d\d:\d\d GET \/healthz answered 200 in \d+ ms/)
    expect(said, said).not.toContain('{"level')
    expect(atTheEnd, atTheEnd).not.toMatch(/Error|Warning/)
    expect(await ended).toBe(0)
  },
)
