// npm test: every check and test, from nothing. A failed step does not stop the next one.
import fs from 'node:fs'
import path from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { changedFiles, testsFor, trackedFiles } from './changed.mjs'
import { CHECKS, runSideBySide } from './checks.mjs'
import { ensureChromium, findChromium, findHeadlessShell } from './chromium.mjs'
import { ensureInstalled, ensureWebBuilt, fail, packageProgram, ROOT, runPinned } from './runtime.mjs'
import { makeScratchFolder } from './scratch.mjs'
import { findSystemPostgres, startSystemPostgres } from './system-postgres.mjs'

// Many tests start our programs; the cache saves compiling them each time.
process.env.NODE_COMPILE_CACHE ??= path.join(ROOT, 'node_modules', '.cache', 'compiled')

/**
 * What another version of the database can change: the platform's own use of it, plans, locks, partitions, and the order
 * of writes that meet. All else is proved once, and its statements are prepared there (decision 0100).
 */
const DATABASE_DECIDES = [
  'server/src/platform/{backup,cells,db,jobs,upkeep}/*.test.ts',
  'server/src/platform/{fail-over,readiness}.test.ts',
  'server/src/platform/http/{access,idempotency}.test.ts',
  'server/src/platform/mail/outgoing.test.ts',
  'server/src/{admin,fair-shares,live-server,several-servers}.test.ts',
  'server/src/orders/list/*.test.ts',
  'server/src/orders/close-shipped-orders.test.ts',
  'server/src/orders/commands/{accept-order,accept-orders,decide-at-once,lifecycle,take-order}.test.ts',
  'server/src/orders/live/{event-stream,opening-streams}.test.ts',
  'server/src/inventory/inventory-statements.test.ts',
  'server/src/insights/insights.test.ts',
  'server/src/today/*.test.ts',
  'server/src/marketplace/{create-order,list-orders,read-events,webhook-leases}.test.ts',
  'server/src/records/{proof-records,purge-by-rule}.test.ts',
  'server/src/sign-in/under-way.test.ts',
]
const EVERY_STATEMENT = 'server/test/database/every-statement.system.ts'

/** The projects whose tests import only what they prove. */
const PURE = ['contract', 'web', 'scripts'].flatMap((name) => ['--project', name])
/** Enough for the expected value, the received value and the place. */
const FAILURE_LINES = 15
const PAGE_LINES = 90
const MESSAGE_LINES = 20

const scratch = makeScratchFolder()
process.env.TMPDIR = scratch.folder
const reports = fs.mkdtempSync(path.join(scratch.folder, 'reports-'))
/** The texts of the statements that the unit tests send, a file each. */
const statements = fs.mkdtempSync(path.join(scratch.folder, 'statements-'))
const totals = { passed: 0, failed: 0, skipped: 0, tests: 0 }
/** The failures in their own words, printed again at the end, because only the end of a long run is kept. */
const failures = []

const STATIC = [
  ...CHECKS,
  { name: 'requirements', run: (to) => runPinned('scripts/requirements.mjs', [], to) },
]

const STEPS = {
  ...Object.fromEntries(STATIC.map((check) => [check.name, check])),
  unit: () => vitest('unit', [], { env: { STATEMENTS_TO: statements } }),
  'server on a system PostgreSQL': serverOnSystemPostgres,
  e2e: () => browserTests(),
}

/** Steps that the built dashboard does not matter to; its build takes a third of a small change's minute. */
const WITHOUT_DASHBOARD = new Set([...STATIC.map(({ name }) => name), 'related'])

function oneOf(isGood) {
  return { passed: isGood ? 1 : 0, failed: isGood ? 0 : 1, skipped: 0 }
}

async function vitest(name, args, { env = {}, related = [] } = {}) {
  const file = path.join(reports, `${name}.json`)
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`]
  const options = { env: { ...process.env, ...env }, stdio: ['ignore', 'inherit', 'inherit'] }
  const command =
    related.length > 0 ? ['related', '--run', '--passWithNoTests', ...PURE, ...related] : ['run']
  const code = await runPinned(packageProgram('vitest'), [...command, ...reporters, ...args], options)
  const report = readReport(file)
  let failed = 0
  for (const { name: testFile, status, message, assertionResults } of report?.testResults ?? []) {
    const failedTests = assertionResults.filter((test) => test.status === 'failed')
    for (const test of failedTests) tellFailure(testFile, test.fullName, test.failureMessages)
    // A file that does not load reports no failed tests.
    const isBroken = status === 'failed' && failedTests.length === 0
    if (isBroken) tellFailure(testFile, 'could not be run', [message])
    failed += failedTests.length + (isBroken ? 1 : 0)
  }
  const skipped = (report?.numPendingTests ?? 0) + (report?.numTodoTests ?? 0)
  return asTests(name, { passed: report?.numPassedTests ?? 0, failed, skipped }, code)
}

async function serverOnSystemPostgres() {
  const found = process.platform === 'win32' ? undefined : findSystemPostgres()
  if (!found) {
    console.log('No PostgreSQL from version 15 on found here: not found, skipped.')
    return { passed: 0, failed: 0, skipped: 1 }
  }
  console.log(`PostgreSQL ${found.version} in ${found.bin}`)
  let server
  try {
    server = await startSystemPostgres(found)
  } catch (error) {
    console.error(`PostgreSQL in ${found.bin} did not start: ${error.message}`)
    return oneOf(false)
  }
  try {
    // Without the unit tests, no statement is noted.
    const isNoted = fs.readdirSync(statements).length > 0
    const env = {
      TEST_DATABASE_URL: server.url,
      STATEMENTS_FROM: statements,
      // Through the environment, because a project's own files override those of the command line.
      INCLUDED_TESTS: JSON.stringify([...DATABASE_DECIDES, ...(isNoted ? [EVERY_STATEMENT] : [])]),
    }
    return await vitest('system', ['--project', 'server'], { env })
  } finally {
    await server.stop()
  }
}

async function browserTests(files = []) {
  const chromium = ensureChromium()
  if (!chromium) return oneOf(false)
  console.log(`Chromium: ${[chromium, findHeadlessShell()].filter(Boolean).join(', and for most tests ')}`)
  const file = path.join(reports, 'e2e.json')
  const named = findChromium() === chromium ? {} : { CHROMIUM_PATH: chromium }
  const env = { ...process.env, ...named, PLAYWRIGHT_JSON_OUTPUT_FILE: file }
  const code = await runPinned(packageProgram('@playwright/test', 'playwright'), ['test', ...files], {
    env,
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const report = readReport(file)
  const { expected = 0, flaky = 0, unexpected = 0, skipped = 0 } = report?.stats ?? {}
  for (const suite of report?.suites ?? []) tellFailedBrowserTests(suite, [])
  return asTests('e2e', { passed: expected, failed: unexpected + flaky, skipped }, code)
}

function tellFailedBrowserTests({ title, specs = [], suites = [] }, above) {
  const titles = [...above, title]
  for (const spec of specs.filter((each) => !each.ok)) {
    const results = spec.tests.flatMap((test) => test.results)
    const messages = results.flatMap(({ errors = [] }) => errors.map(({ message }) => message))
    tellFailure(titles[0], [...titles.slice(1), spec.title].join(' > '), messages)
    for (const { attachments = [] } of results) tellPages(attachments)
  }
  for (const suite of suites) tellFailedBrowserTests(suite, titles)
}

/** The text of the screen: a test that fails on one machine alone leaves nothing else to look at. */
function tellPages(attachments) {
  for (const { name, path: file } of attachments) {
    if (name !== 'error-context' || !fs.existsSync(file)) continue
    const [, page] = /```yaml\n([^]*?)```/.exec(fs.readFileSync(file, 'utf8')) ?? []
    if (!page) continue
    // The messages of the page stand at its end.
    const [messages = ''] = /^.*status "Messages"[^]*/m.exec(page) ?? []
    const shown = [...page.split('\n', PAGE_LINES), ...messages.split('\n', MESSAGE_LINES)]
    failures.push(`The page then:\n    ${shown.join('\n    ')}`)
  }
}

function tellFailure(file, title, messages) {
  const lines = stripVTControlCharacters(messages.join('\n')).split('\n', FAILURE_LINES)
  failures.push(`${path.relative(ROOT, path.resolve(ROOT, file))}: ${title}\n    ${lines.join('\n    ')}`)
}

function asTests(name, counts, code) {
  totals.tests += counts.passed + counts.failed
  if (counts.failed > 0 || code === 0) return counts
  failures.push(`${name}: ended with ${code} without a failed test. Its output above shows the error.`)
  return { ...counts, failed: 1 }
}

function readReport(file) {
  return fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, 'utf8')) : undefined
}

/** Seconds instead of minutes: the tests that the change can touch, and the checks that find most. */
function stepsOfChange(since) {
  const { related, server, e2e } = testsFor(changedFiles(since), trackedFiles())
  const runs = [
    ...['types', 'lint', 'architecture rules', 'format'].map((name) => [name, STEPS[name]]),
    related.length > 0 && ['related', () => vitest('related', [], { related })],
    server.length > 0 && ['server', () => vitest('server', ['--project', 'server', ...server])],
    e2e.length > 0 && ['e2e', () => browserTests(e2e)],
  ]
  return runs.filter(Boolean)
}

function chosenSteps() {
  const changed = process.argv.indexOf('--changed')
  if (changed >= 0) return stepsOfChange(process.argv[changed + 1])
  const at = process.argv.indexOf('--only')
  if (at < 0) return Object.entries(STEPS)
  const names = (process.argv[at + 1] ?? '').split(',')
  const unknown = names.filter((name) => !(name in STEPS))
  if (unknown.length > 0)
    fail(`There is no step "${unknown.join(', ')}". There are: ${Object.keys(STEPS).join(', ')}.`)
  return Object.entries(STEPS).filter(([name]) => names.includes(name))
}

async function main() {
  const steps = chosenSteps()
  const failedSteps = []
  await ensureInstalled()
  if (steps.some(([name]) => !WITHOUT_DASHBOARD.has(name))) await ensureWebBuilt()
  const count = (name, counts, ms) => {
    for (const key of ['passed', 'failed', 'skipped']) totals[key] += counts[key]
    if (counts.failed > 0) failedSteps.push(name)
    console.log(`-- ${name}: ${counts.failed > 0 ? 'FAILED' : 'ok'} in ${(ms / 1000).toFixed(1)} s`)
  }
  const checks = steps.map(([, step]) => step).filter((step) => STATIC.includes(step))
  await runSideBySide(checks, ({ name }, { code, said, ms }) => {
    console.log(`\n== ${name}\n${said.trimEnd()}`)
    count(name, oneOf(code === 0), ms)
  })
  for (const [name, run] of steps.filter(([, step]) => !STATIC.includes(step))) {
    console.log(`\n== ${name}`)
    const began = Date.now()
    count(name, await run(), Date.now() - began)
  }
  scratch.forget()
  const wantsTests = steps.some(([name]) => name === 'unit' || name === 'e2e')
  if (wantsTests && totals.tests === 0) console.error('\nNo test ran.')
  if (failedSteps.length > 0) console.log(['', ...failures, `Failed: ${failedSteps.join(', ')}`].join('\n\n'))
  const skipped = totals.skipped > 0 ? `, ${totals.skipped} skipped` : ''
  console.log(`\n${totals.passed} passed, ${totals.failed} failed${skipped}`)
  process.exitCode = totals.failed > 0 || (wantsTests && totals.tests === 0) ? 1 : 0
}

await main()
