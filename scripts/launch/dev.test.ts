import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { freePort } from './free-port.mjs'
import { ROOT } from '../runtime.mjs'

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'cellarhand-dev-'))
const root = path.join(folder, 'project')
const started: ChildProcess[] = []

beforeAll(() => {
  fs.chmodSync(folder, 0o711)
  for (const part of [
    'contract',
    'server',
    'scripts',
    'package.json',
    'package-lock.json',
    'tsconfig.base.json',
  ])
    fs.cpSync(path.join(ROOT, part), path.join(root, part), {
      recursive: true,
      filter: (file) => path.basename(file) !== 'node_modules',
    })
  fs.symlinkSync(path.join(ROOT, 'node_modules'), path.join(root, 'node_modules'))
  // The pages themselves take half a minute to build, and change nothing here.
  fs.mkdirSync(path.join(root, 'web'))
  fs.writeFileSync(path.join(root, 'web/index.html'), '<!doctype html><title>The dashboard</title>')
  fs.writeFileSync(path.join(root, 'web/package.json'), '{ "type": "module" }')
})

afterAll(async () => {
  for (const child of started) child.kill('SIGKILL')
  await vi.waitFor(() => expect(leftOver()).toEqual([]), { timeout: 100_000 })
  fs.rmSync(folder, { recursive: true, force: true })
})

/** The running processes that have this test's folder in their arguments or as their working folder. */
function leftOver(): string[] {
  const all = spawnSync('ps', ['-A', '-ww', '-o', 'pid=,args='], { encoding: 'utf8' }).stdout.split('\n')
  return all.filter((line) => {
    const cwd = `/proc/${Number.parseInt(line, 10)}/cwd`
    return line.includes(folder) || (fs.existsSync(cwd) && fs.readlinkSync(cwd).startsWith(folder))
  })
}

async function startDev() {
  const child = spawn(process.execPath, ['scripts/run.mjs', 'dev'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
      PORT: String(await freePort()),
      DATA_DIR: path.join(folder, 'data'),
      // A demo would take its time to be filled.
      DEMO: '0',
      SESSION_SECRET: 'a-secret-for-sessions-of-32-letters',
      SEALING_KEY: 'a-secret-for-sealing-with-32-letters',
      APP_CREDENTIAL: 'desk:a-secret-of-the-dashboard',
      MARKETPLACE_CREDENTIAL: 'market:a-secret-of-the-marketplace',
    },
  })
  started.push(child)
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => (said += text))
  const starts = () => said.split('Cellarhand is ready').length - 1
  await expect.poll(() => [starts(), said]).toEqual([1, expect.anything()])
  return { child, starts, said: () => said }
}

test.skipIf(process.platform !== 'linux')(
  'npm run dev restarts the server after a saved change, and leaves nothing behind when it is killed',
  async () => {
    const { child, starts } = await startDev()
    expect(leftOver().length).toBeGreaterThan(3)
    fs.appendFileSync(path.join(root, 'server/src/main.ts'), '\n// changed\n')
    await expect.poll(starts).toBe(2)
    child.kill('SIGKILL')
    await expect.poll(leftOver).toEqual([])
  },
)

test.skipIf(process.platform !== 'linux')('npm run dev leaves nothing behind after SIGTERM', async () => {
  const { child } = await startDev()
  const ended = new Promise((resolve) => child.on('close', resolve))
  child.kill('SIGTERM')
  await ended
  await expect.poll(leftOver).toEqual([])
})
