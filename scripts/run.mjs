// The other npm scripts: node scripts/run.mjs <name> [arguments].
import fs from 'node:fs'
import path from 'node:path'
import { CHECKS, runSideBySide } from './checks.mjs'
import { chromiumEnvironment } from './chromium.mjs'
import { dev } from './launch/dev.mjs'
import {
  ensureInstalled,
  ensureWebBuilt,
  fail,
  packageProgram,
  ROOT,
  runPinned,
  SETTINGS_FILE,
} from './runtime.mjs'

const COMMANDS = {
  dev,
  check,
  format: (args) => runPinned(packageProgram('oxfmt'), args.length > 0 ? args : ['.']),
  admin: (args) => runPinned('server/src/admin.ts', args, { nodeArgs: SETTINGS_FILE }),
  simulate: (args) => runPinned('server/src/simulate.ts', args, { nodeArgs: SETTINGS_FILE }),
  bench,
  drill,
  shots,
}

const DRILLS = {
  failover: 'bench/failover/drill.ts',
  standbys: 'bench/drills/standbys.ts',
  cells: 'bench/drills/cells.ts',
}

async function check() {
  let worst = 0
  await runSideBySide(CHECKS, ({ name }, { code, said }) => {
    console.log(`\n== ${name}\n${said.trimEnd()}`)
    worst = Math.max(worst, code)
  })
  console.log('')
  const report = await runPinned('scripts/requirements.mjs')
  return Math.max(worst, report)
}

async function bench([name, ...args]) {
  const folder = path.join(ROOT, 'bench')
  const names = fs
    .readdirSync(folder)
    .filter((file) => file.endsWith('.ts'))
    .map((file) => path.basename(file, '.ts'))
  if (!names.includes(name))
    return fail(`Say which: npm run bench -- <name>, of: ${names.join(', ') || '(none yet)'}.`)
  await ensureWebBuilt()
  return runPinned(`bench/${name}.ts`, args, { env: { ...process.env, ...chromiumEnvironment() } })
}

async function drill([name, ...args]) {
  const file = DRILLS[name]
  if (file === undefined)
    return fail(`Say which: npm run drill -- <name>, of: ${Object.keys(DRILLS).join(', ')}.`)
  await ensureWebBuilt()
  return runPinned(file, args)
}

async function shots(args) {
  await ensureWebBuilt()
  return runPinned('e2e/screens/shots.ts', args, { env: { ...process.env, ...chromiumEnvironment() } })
}

const [name, ...args] = process.argv.slice(2)
const command = COMMANDS[name]
if (!command) fail(`There is no command "${name ?? ''}". There are: ${Object.keys(COMMANDS).join(', ')}.`)
await ensureInstalled()
process.exitCode = await command(args)
