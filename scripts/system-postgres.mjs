// A PostgreSQL installed on this system, started on a temporary directory for one run of the tests.
import { spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { freePort } from './launch/free-port.mjs'

const OLDEST = 15

/** The folder of the oldest installed PostgreSQL version that we support. */
export function findSystemPostgres() {
  const versioned = ['/usr/lib/postgresql', '/opt/homebrew/opt', '/usr/local/opt'].flatMap((parent) =>
    fs.existsSync(parent) ? fs.readdirSync(parent).map((name) => path.join(parent, name, 'bin')) : [],
  )
  const onPath = (process.env.PATH ?? '').split(path.delimiter)
  const found = [...versioned, ...onPath]
    .filter((bin) => fs.existsSync(path.join(bin, 'postgres')) && fs.existsSync(path.join(bin, 'initdb')))
    .map((bin) => ({ bin, version: versionOf(bin) }))
  return found.filter(({ version }) => version >= OLDEST).toSorted((a, b) => a.version - b.version)[0]
}

function versionOf(bin) {
  const { stdout = '' } = spawnSync(path.join(bin, 'postgres'), ['--version'], { encoding: 'utf8' })
  return Number(/\) (\d+)/.exec(stdout)?.[1] ?? 0)
}

/** Starts it on loopback with a password for this run. */
export async function startSystemPostgres({ bin }) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'cellarhand-'))
  const account = unprivileged()
  if (account) fs.chownSync(folder, account.uid, account.gid)
  const options = { ...account, cwd: '/', env: { PATH: process.env.PATH, LC_ALL: 'C' } }
  const password = randomBytes(12).toString('hex')
  const passwordFile = path.join(folder, 'password')
  fs.writeFileSync(passwordFile, password)
  const dataDir = path.join(folder, 'data')
  const init = [
    '-D',
    dataDir,
    '-U',
    'postgres',
    '-E',
    'UTF8',
    '--locale=C.UTF-8',
    '--auth=scram-sha-256',
    '--pwfile',
    passwordFile,
    '--no-sync',
  ]
  const made = spawnSync(path.join(bin, 'initdb'), init, { ...options, encoding: 'utf8' })
  if (made.status !== 0) throw new Error(made.stderr || made.error?.message)
  const port = await freePort()
  const settings = [
    'listen_addresses=127.0.0.1',
    `port=${port}`,
    `unix_socket_directories=${folder}`,
    'max_connections=300',
    'fsync=off',
  ]
  const command = [
    path.join(bin, 'postgres'),
    '-D',
    dataDir,
    ...settings.flatMap((setting) => ['-c', setting]),
  ]
  // The reader stops it when our end of the pipe closes, even after a kill.
  const supervisor =
    'exec 3<&0; "$@" </dev/null 3<&- & p=$!; (cat <&3 >/dev/null; while kill -INT $p; do sleep 1; done) 2>/dev/null & wait $p'
  const child = spawn('sh', ['-c', supervisor, 'sh', ...command], {
    ...options,
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  const ended = new Promise((resolve) => child.on('exit', resolve))
  await untilReady(path.join(dataDir, 'postmaster.pid'), child)
  return {
    url: `postgres://postgres:${password}@127.0.0.1:${port}/postgres`,
    async stop() {
      child.stdin.end()
      await ended
      fs.rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** For programs that refuse to run as root. */
export function unprivileged() {
  if (process.getuid?.() !== 0) return undefined
  const id = (flag) => Number(spawnSync('id', [flag, 'nobody'], { encoding: 'utf8' }).stdout)
  return { uid: id('-u'), gid: id('-g') }
}

async function untilReady(pidFile, child) {
  for (let waitedMs = 0; waitedMs < 30_000; waitedMs += 50) {
    if (child.exitCode !== null) break
    if (fs.existsSync(pidFile) && fs.readFileSync(pidFile, 'utf8').split('\n')[7]?.startsWith('ready')) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  child.stdin.end()
  throw new Error('it did not take connections')
}
