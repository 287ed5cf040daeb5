import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import fs from 'node:fs'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { accountCan } from './account.ts'
import type { Account } from './account.ts'
import { binary } from './binaries.ts'
import type { Binaries } from './binaries.ts'
import { plainEnvironment } from './data-directory.ts'
import { readPidFile } from './leftover.ts'

/** The shortest limit of all platforms (macOS), without the closing zero. */
const LONGEST_SOCKET_PATH = 103
const SOCKET_PORT = 5432

const SETTINGS = {
  cluster_name: 'cellarhand',
  fsync: 'on',
  idle_in_transaction_session_timeout: '30s',
  lc_messages: 'C',
  log_timezone: 'UTC',
  shared_buffers: '256MB',
  statement_timeout: '30s',
  timezone: 'UTC',
}

// Our end of its input closes when this process dies in any way; the background reader then stops PostgreSQL. It asks
// again and again: a shell starts its background commands deaf to this signal, and PostgreSQL listens only after a
// moment. `wait` is in a loop because a signal ends it while PostgreSQL is still shutting down.
const SUPERVISOR = `
socket_dir=$1; shift
exec 3<&0
"$@" </dev/null 3<&- &
server=$!
trap 'kill -INT "$server" 2>/dev/null' TERM INT HUP
(trap - TERM INT HUP; while read -r _; do :; done <&3
  while kill -INT "$server" 2>/dev/null; do sleep 1; done) >/dev/null 2>&1 &
reader=$!
wait "$server"; code=$?
while [ "$code" -gt 128 ] && kill -0 "$server" 2>/dev/null; do wait "$server"; code=$?; done
kill "$reader" 2>/dev/null
[ -z "$socket_dir" ] || rmdir "$socket_dir" 2>/dev/null
exit "$code"
`

/** How clients reach the server: a socket only its owner can open, or a loopback port with a password. */
export type Endpoint =
  | { kind: 'socket'; dir: string; isShortcut: boolean }
  | { kind: 'loopback'; port: number }

export async function chooseEndpoint(
  kind: Endpoint['kind'],
  dataDir: string,
  account: Account,
): Promise<Endpoint> {
  if (kind === 'loopback') return { kind, port: await freePort() }
  if (Buffer.byteLength(`${dataDir}/.s.PGSQL.${SOCKET_PORT}`) <= LONGEST_SOCKET_PATH) {
    return { kind, dir: dataDir, isShortcut: false }
  }
  const usable = [os.tmpdir(), '/tmp'].map((folder) => path.join(folder, 'cellarhand-'))
  for (const prefix of usable) {
    if (Buffer.byteLength(`${prefix}XXXXXX/.s.PGSQL.${SOCKET_PORT}`) > LONGEST_SOCKET_PATH) continue
    if (!(await accountCan(account, '-x', path.dirname(prefix)))) continue
    const dir = fs.mkdtempSync(prefix)
    if (account) fs.chownSync(dir, account.uid, account.gid)
    return { kind, dir, isShortcut: true }
  }
  throw new Error(`no folder with a name short enough for a socket: ${usable.join(', ')}`)
}

export function addressOf(endpoint: Endpoint): { host: string; port: number } {
  return endpoint.kind === 'socket'
    ? { host: endpoint.dir, port: SOCKET_PORT }
    : { host: '127.0.0.1', port: endpoint.port }
}

export type ServerPlan = {
  dataDir: string
  binaries: Binaries
  account: Account
  endpoint: Endpoint
  stalePid: number | undefined
  connections: number
  log: (line: string) => void
}

export type RunningServer = { stop(): Promise<void>; ended: Promise<string> }

/** Starts PostgreSQL under a supervisor and waits until it takes connections. Fails with PostgreSQL's own words. */
export async function superviseServer(plan: ServerPlan): Promise<RunningServer> {
  // After a crash, the old pid file still says ready.
  const staleHead = pidFileHead(plan.dataDir)
  const isReady = () =>
    pidFileHead(plan.dataDir) !== staleHead && (readPidFile(plan.dataDir)[7] ?? '').startsWith('ready')
  const child = spawnSupervisor(plan)
  const said = collectOutput(child, plan.log)
  const ended = new Promise<string>((resolve) => {
    child.on('error', (error) => resolve(error.message))
    child.on('close', (code) => resolve(said() || `it ended with code ${code}`))
  })
  let hasEnded = false
  void ended.then(() => (hasEnded = true))
  child.stdin?.on('error', () => undefined)
  // No time limit: recovery after a crash may take minutes, and a kill would only make it start again.
  while (!hasEnded && !isReady()) await sleep(10)
  if (hasEnded) throw new Error(await ended)
  return {
    ended,
    async stop() {
      child.stdin?.end()
      await ended
    },
  }
}

function spawnSupervisor(plan: ServerPlan): ChildProcess {
  const { dataDir, binaries, account, endpoint, stalePid, connections } = plan
  const wanted = { ...SETTINGS, max_connections: String(connections), ...listenSettings(endpoint) }
  const settings = Object.entries(wanted).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const env = plainEnvironment()
  // PostgreSQL starts despite a stale pid file unless a process has that number. This variable excuses the one process;
  // deleting the file instead would skip PostgreSQL's other checks.
  if (stalePid !== undefined) env['PG_GRANDPARENT_PID'] = String(stalePid)
  const options = {
    ...account,
    cwd: path.parse(dataDir).root,
    detached: true,
    windowsHide: true,
    env,
    stdio: ['pipe', 'ignore', 'pipe'] as ('pipe' | 'ignore')[],
  }
  if (endpoint.kind === 'loopback') {
    const script = fileURLToPath(new URL('./loopback-supervisor.ts', import.meta.url))
    return spawn(process.execPath, [script, binary(binaries, 'pg_ctl'), dataDir, settings.join(' ')], options)
  }
  const shortcut = endpoint.isShortcut ? endpoint.dir : ''
  const command = [binary(binaries, 'postgres'), '-D', dataDir, ...settings]
  return spawn('/bin/sh', ['-c', SUPERVISOR, 'sh', shortcut, ...command], options)
}

function listenSettings(endpoint: Endpoint): Record<string, string> {
  return endpoint.kind === 'socket'
    ? {
        listen_addresses: '',
        port: String(SOCKET_PORT),
        unix_socket_directories: endpoint.dir,
        unix_socket_permissions: '0700',
      }
    : { listen_addresses: '127.0.0.1', port: String(endpoint.port), unix_socket_directories: '' }
}

/** Number, directory and second of the start tell one server's pid file from another's. */
function pidFileHead(dataDir: string): string {
  return readPidFile(dataDir).slice(0, 3).join()
}

function collectOutput(child: ChildProcess, log: (line: string) => void): () => string {
  let recent = ''
  let unfinished = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    recent = (recent + text).slice(-4000)
    const lines = (unfinished + text).split('\n')
    unfinished = lines.pop() ?? ''
    for (const line of lines) if (line) log(line)
  })
  return () => recent
}

async function freePort(): Promise<number> {
  const probe = net.createServer()
  await new Promise<void>((resolve, reject) => probe.once('error', reject).listen(0, '127.0.0.1', resolve))
  const { port } = probe.address() as net.AddressInfo
  await new Promise((resolve) => probe.close(resolve))
  return port
}
