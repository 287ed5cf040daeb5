import { spawn } from 'node:child_process'
import fs from 'node:fs'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { freePort } from '../launch/free-port.mjs'
import { ROOT } from '../runtime.mjs'

const ops = path.join(ROOT, 'ops')
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'cellarhand-unit-'))
fs.chmodSync(folder, 0o755)
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }))

function readUnit(name: string) {
  const lines = fs.readFileSync(path.join(ops, name), 'utf8').split('\n')
  const valuesOf = (key: string) =>
    lines.filter((line) => line.startsWith(`${key}=`)).map((line) => line.slice(key.length + 1))
  const settings = valuesOf('Environment').map((text): [string, string] => {
    const [setting = '', value = ''] = text.split('=')
    return [setting, value]
  })
  return {
    command: (valuesOf('ExecStart')[0] ?? '').split(' '),
    environment: Object.fromEntries(settings),
    valuesOf,
  }
}

const secrets = {
  SESSION_SECRET: 'a-secret-for-sessions-of-32-letters',
  SEALING_KEY: 'a-secret-for-sealing-with-32-letters',
  APP_CREDENTIAL: 'desk:a-secret-of-the-dashboard',
  MARKETPLACE_CREDENTIAL: 'market:a-secret-of-the-marketplace',
}

/** Starts the unit's own command as systemd does: no shell, no terminal, and the unit's environment alone. */
async function startUnit(port: number) {
  const { command, environment } = readUnit('cellarhand.service')
  const [program = '', ...args] = command
  const child = spawn(program, args, {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
      ...environment,
      ...secrets,
      PORT: String(port),
      DATA_DIR: path.join(folder, 'data'),
    },
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => (said += text))
  const ended = new Promise<{ code: number | null; signal: string | null }>((resolve) =>
    child.on('exit', (code, signal) => resolve({ code, signal })),
  )
  await expect.poll(() => said).toContain('Cellarhand is ready')
  return { child, ended, said: () => said }
}

/** A request whose body is still on its way; `finish` sends the rest and resolves with the answer. */
async function openRequest(port: number, email: string): Promise<() => Promise<string>> {
  const body = JSON.stringify({ email, password: 'not the password' })
  const socket = net.connect(port, '127.0.0.1')
  let answer = ''
  socket.setEncoding('utf8').on('data', (text: string) => (answer += text))
  const closed = new Promise<void>((resolve) =>
    socket.on('close', () => resolve()).on('error', () => undefined),
  )
  const credential = Buffer.from(secrets.APP_CREDENTIAL).toString('base64')
  const head = [
    'POST /a/v2/sessions HTTP/1.1',
    'Host: 127.0.0.1',
    `Authorization: Basic ${credential}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    'Expect: 100-continue',
    '',
    '',
  ]
  socket.write(head.join('\r\n'))
  // The server has the request once it asks for the body.
  await expect.poll(() => answer).toContain('100 Continue')
  socket.write(body.slice(0, 10))
  return async () => {
    socket.write(body.slice(10))
    await closed
    return answer
  }
}

test('systemctl stop answers what is under way, ends with 0 and leaves a cleanly closed database', async () => {
  const port = await freePort()
  const { child, ended, said } = await startUnit(port)
  const requests = await Promise.all(
    Array.from({ length: 6 }, (_, i) => openRequest(port, `clerk-${i}@example.com`)),
  )
  // KillMode=mixed: the signal goes to the main process alone, and all that outlives it is killed.
  expect(readUnit('cellarhand.service').valuesOf('KillMode')).toEqual(['mixed'])
  // While a busy machine starts it, its database may rightly be too slow for it.
  const before = said().length
  child.kill('SIGTERM')
  await expect
    .poll(() =>
      fetch(`http://127.0.0.1:${port}/readyz`).then(
        ({ status }) => status,
        () => 'closed',
      ),
    )
    .not.toBe(200)
  const answers = await Promise.all(requests.map((finish) => finish()))
  for (const answer of answers) expect(answer).toContain('HTTP/1.1 401')
  expect(await ended).toEqual({ code: 0, signal: null })
  expect(fs.existsSync(path.join(folder, 'data', 'postgres', 'postmaster.pid'))).toBe(false)
  // On a busy machine the server's own work may wait too long for a connection.
  const lines = said()
    .slice(before)
    .split('\n')
    .filter((line) => !line.includes('"background work failed"'))
  expect(lines.join('\n')).not.toMatch(/"level":(50|60)/)
})

test('the backup and the wrapper for admin commands have the user, the folder and the settings of the unit', () => {
  const unit = readUnit('cellarhand.service')
  const backup = readUnit('cellarhand-backup.service')
  for (const key of ['User', 'Group', 'WorkingDirectory', 'EnvironmentFile', 'UMask', 'Environment'])
    expect(backup.valuesOf(key)).toEqual(unit.valuesOf(key))
  const wrapper = fs.readFileSync(path.join(ops, 'cellarhand-admin'), 'utf8')
  // Without StateDirectory a restore could not make the folder that was moved aside.
  const same = [
    'User',
    'Group',
    'WorkingDirectory',
    'EnvironmentFile',
    'UMask',
    'StateDirectory',
    'StateDirectoryMode',
  ]
  for (const key of same) expect(wrapper).toContain(`--property=${key}=${unit.valuesOf(key)[0]} `)
  for (const setting of unit.valuesOf('Environment')) expect(wrapper).toContain(`--setenv=${setting} `)
  expect(fs.statSync(path.join(ops, 'cellarhand-admin')).mode & 0o111).toBe(0o111)
})
