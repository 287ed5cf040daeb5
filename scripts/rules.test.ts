// A rule that never reports looks like a rule that is kept. So a copy breaks each one, and the rule has to report it.
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import rules from '../.dependency-cruiser.mjs'
import { packageProgram, ROOT } from './runtime.mjs'

type Files = Record<string, string>

const folders: string[] = []

afterAll(() => {
  for (const folder of folders) fs.rmSync(folder, { recursive: true, force: true })
})

function copyWith(files: Files): string {
  const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'cellarhand-rules-')))
  folders.push(folder)
  const settings = [
    '.dependency-cruiser.mjs',
    '.oxlintrc.json',
    'tsconfig.json',
    'vitest.config.ts',
    'tsconfig.base.json',
    'package.json',
    'server/package.json',
    'web/package.json',
    'contract/package.json',
    'client/package.json',
  ]
  for (const file of settings) write(folder, file, fs.readFileSync(path.join(ROOT, file), 'utf8'))
  for (const [file, text] of Object.entries(files)) write(folder, file, text)
  return folder
}

function write(folder: string, file: string, text: string): void {
  const full = path.join(folder, file)
  fs.mkdirSync(path.dirname(full), { recursive: true })
  fs.writeFileSync(full, text)
}

type Cruise = {
  summary: { totalCruised: number; violations: { from: string; rule: { name: string } }[] }
  modules: { source: string; dependencies: { module: string; couldNotResolve: boolean }[] }[]
}

function cruise(folder: string): Cruise {
  const program = packageProgram('dependency-cruiser', 'depcruise')
  const args = [
    program,
    '--config',
    '.dependency-cruiser.mjs',
    '--output-type',
    'json',
    'contract',
    'client',
    'server',
    'web',
  ]
  const { stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 100_000_000,
  })
  if (!stdout.startsWith('{')) throw new Error(stderr || stdout)
  return JSON.parse(stdout) as Cruise
}

const CLEAN: Files = {
  'contract/src/orders/orders.ts': 'export const tabs = 3\n',
  'client/src/client.ts': 'export const client = 1\n',
  'server/src/app.ts': "import './orders/routes.ts'\nimport './shipping/routes.ts'\nexport const app = 1\n",
  'server/src/orders/routes.ts': "import { list } from './reads.ts'\nexport const routes = list\n",
  'server/src/orders/document/reads.ts':
    "import { pool } from '#platform/pool.ts'\nexport const list = pool\n",
  'server/src/orders/commands/accept-order.ts': 'export const acceptOrder = 1\n',
  'server/src/orders/public.ts': 'export const findOrder = 1\n',
  'server/src/shipping/routes.ts':
    "import { findOrder } from '#orders/public.ts'\nexport const routes = findOrder\n",
  'server/src/platform/pool.ts': 'export const pool = 1\n',
  'web/src/app/router.tsx': "import { Page } from '#orders/public.ts'\nexport const router = Page\n",
  'web/src/orders/public.ts': 'export const Page = 1\n',
}

/** For each rule, the files that break it; the rule must name the first one. */
const BROKEN_ARROWS: Record<string, Files> = {
  'no-cycle': {
    'server/src/orders/a.ts': "import './b.ts'\nexport const a = 1\n",
    'server/src/orders/b.ts': "import './a.ts'\nexport const b = 1\n",
  },
  'slices-form-no-circle': {
    'server/src/orders': '',
    'server/src/orders/price.ts': "import '#shipping/public.ts'\nexport const price = 1\n",
    'server/src/shipping/public.ts': 'export const parcel = 1\n',
  },
  'slices-meet-through-public': {
    'server/src/shipping/label.ts': "import '#orders/list/public.ts'\nexport const label = 1\n",
    'server/src/orders/list/public.ts': 'export const page = 1\n',
  },
  'rooms-form-no-circle': {
    'server/src/team/roles': '',
    'server/src/team/roles/role.ts': "import '../people/person.ts'\nexport const role = 1\n",
    'server/src/team/people/person.ts': 'export const person = 1\n',
    'server/src/team/people/badge.ts': "import '../roles/name.ts'\nexport const badge = 1\n",
    'server/src/team/roles/name.ts': 'export const name = 1\n',
  },
  'rooms-know-no-root': {
    'server/src/billing/cards/card.ts': "import '../reads.ts'\nexport const card = 1\n",
    'server/src/billing/reads.ts': 'export const list = 1\n',
  },
  'shared-code-knows-no-noun': {
    'server/src/platform/clock.ts': "import '#orders/public.ts'\nexport const clock = 1\n",
  },
  'only-app-composes': {
    'server/src/orders/peek.ts': "import '../app.ts'\nexport const peek = 1\n",
  },
  'reads-do-not-write': {
    'server/src/team/reads.ts': "import './commands/add-user.ts'\nexport const list = 1\n",
    'server/src/team/commands/add-user.ts': 'export const addUser = 1\n',
  },
  'the-product-knows-no-demo': {
    'server/src/team/greet.ts': "import '../../seed/people.ts'\nexport const greet = 1\n",
    'server/seed/people.ts': 'export const people = 1\n',
  },
  'only-programs-draw': {
    'server/src/documents/papers/print.ts': "import './receipt.ts'\nexport const print = 1\n",
    'server/src/documents/papers/receipt.ts': 'export const receipt = 1\n',
    'server/src/shipping/merged.ts': "import './port/merge-labels.ts'\nexport const merged = 1\n",
    'server/src/shipping/port/merge-labels.ts': 'export const mergeLabels = 1\n',
    'server/src/shipping/letter.ts': "export const letter = async () => import('#platform/pdf/merge.ts')\n",
    'server/src/platform/pdf/merge.ts': 'export const placeOnPages = 1\n',
    'server/src/shipping/pages.ts': "export const pages = async () => import('@cantoo/pdf-lib')\n",
  },
  'only-programs-have-a-clock': {
    'server/src/team/wait.ts': "import '#platform/clock/system-clock.ts'\nexport const wait = 1\n",
    'server/src/platform/clock/system-clock.ts': 'export const systemClock = 1\n',
  },
  'contract-imports-no-side': {
    'contract/src/side.ts': "import '../../server/src/platform/pool.ts'\nexport const side = 1\n",
  },
  'client-stands-alone': {
    'client/src/peek.ts': "import '../../contract/src/orders/orders.ts'\nexport const peek = 1\n",
  },
  'contract-runs-everywhere': {
    'contract/src/node.ts': "import { readFileSync } from 'node:fs'\nexport const node = readFileSync\n",
  },
  'web-never-sees-server': {
    'web/src/lib/peek.ts': "import '../../../server/src/platform/pool.ts'\nexport const peek = 1\n",
  },
  'server-never-sees-web': {
    'server/src/platform/peek.ts': "import '../../../web/src/orders/public.ts'\nexport const peek = 1\n",
  },
  'no-import-from-tests': {
    'server/src/orders/borrow.ts': "import './orders.test.ts'\nexport const borrow = 1\n",
    'server/src/orders/orders.test.ts': 'export const made = 1\n',
  },
}

describe('the import rules', () => {
  let planted: Cruise

  beforeAll(() => {
    const files = Object.assign({}, CLEAN, ...Object.values(BROKEN_ARROWS)) as Files
    const onlyFiles = Object.entries(files).filter(([file]) => path.extname(file) !== '')
    planted = cruise(copyWith(Object.fromEntries(onlyFiles)))
  })

  test('a clean tree passes', () => {
    const { summary } = cruise(copyWith(CLEAN))
    expect(summary.violations).toEqual([])
    expect(summary.totalCruised).toBeGreaterThanOrEqual(Object.keys(CLEAN).length)
  })

  test('each rule is broken here', () => {
    expect(rules.forbidden.map((rule) => rule.name).toSorted()).toEqual(Object.keys(BROKEN_ARROWS).toSorted())
  })

  const breakersOf = (name: string) =>
    planted.summary.violations.flatMap(({ rule, from }) => (rule.name === name ? [from] : []))

  test.each(Object.entries(BROKEN_ARROWS))('%s reports', (name, files) => {
    expect(breakersOf(name)).toContain(Object.keys(files)[0])
  })

  test('only-programs-draw also reports merged labels, pages on other paper, and the library of both', () => {
    const files = ['merged', 'letter', 'pages'].map((file) => `server/src/shipping/${file}.ts`)
    expect(breakersOf('only-programs-draw')).toEqual(expect.arrayContaining(files))
  })

  test('the real tree is read, with every import of our own', () => {
    const { summary, modules } = cruise(ROOT)
    expect(summary.totalCruised).toBeGreaterThan(50)
    const lost = modules.flatMap(({ source, dependencies }) =>
      dependencies
        .filter(({ module, couldNotResolve }) => couldNotResolve && /^([.#]|@cellarhand)/.test(module))
        .map(({ module }) => `${source} -> ${module}`),
    )
    expect(lost).toEqual([])
  })
})

const LONG_BODY = Array.from({ length: 130 }, (_, line) => `  seen.push(${line})`).join('\n')

const BROKEN_LINT: Record<string, [file: string, text: string]> = {
  'max-lines': [
    'server/src/long.ts',
    Array.from({ length: 401 }, (_, line) => `export const n${line} = ${line}`).join('\n'),
  ],
  'max-lines-per-function': [
    'server/src/long-function.ts',
    `export function collect(seen: number[]) {\n${LONG_BODY}\n}\n`,
  ],
  'max-params': [
    'server/src/params.ts',
    'export function sum(a: number, b: number, c: number, d: number) {\n  return a + b + c + d\n}\n',
  ],
  'max-depth': [
    'server/src/deep.ts',
    'export function deep(a: boolean) {\n  if (a) {\n    while (a) {\n      if (a) {\n        if (a) return 1\n      }\n    }\n  }\n  return 0\n}\n',
  ],
  'filename-case': ['server/src/camelCase.ts', 'export const name = 1\n'],
  'no-default-export': ['server/src/default.ts', 'export default 1\n'],
  'no-cycle': ['server/src/ring-a.ts', "import { b } from './ring-b.ts'\nexport const a = () => b\n"],
  'no-barrel-file': ['server/src/barrel.ts', "export * from './params.ts'\n"],
  'no-explicit-any': ['server/src/any.ts', 'export const anything = (x: any) => x\n'],
  'no-non-null-assertion': ['server/src/bang.ts', 'export const first = (x: number[]) => x[0]!\n'],
  'consistent-type-imports': [
    'server/src/types.ts',
    "import { Stats } from 'node:fs'\nexport const size = (stats: Stats) => stats.size\n",
  ],
  'no-console': ['server/src/talk.ts', "console.log('hello')\n"],
  eqeqeq: ['server/src/equal.ts', 'export const same = (a: number, b: number) => a == b\n'],
  'no-restricted-imports': ['server/src/dash.ts', "import { uniq } from 'lodash'\nexport const u = uniq\n"],
  'no-restricted-globals': ['server/src/wait.ts', 'setTimeout(() => undefined, 1)\n'],
  'no-restricted-properties': ['server/src/now.ts', 'export const now = () => Date.now()\n'],
  'no-nodejs-modules': [
    'web/src/lib/node.ts',
    "import { readFileSync } from 'node:fs'\nexport const r = readFileSync\n",
  ],
}

const readsPresent = (source: string) => /new Date\(\s*\)|\bDate\(\)/.test(source)

describe('the lint rules', () => {
  let reported: { code: string; filename: string }[]

  beforeAll(() => {
    const folder = copyWith({
      ...Object.fromEntries(Object.values(BROKEN_LINT)),
      'server/src/ring-b.ts': "import { a } from './ring-a.ts'\nexport const b = () => a\n",
      'scripts/talk.mjs': "console.log('scripts may')\n",
      'server/src/clocks/reading.ts': 'export const reading = () => performance.now()\n',
      'server/src/clocks/limit.ts': 'export const limit = () => AbortSignal.timeout(1)\n',
      'server/src/clocks/sleep.ts':
        "import { setTimeout as s } from 'node:timers/promises'\nexport const sleep = s\n",
      'server/src/clocks/timer.ts': 'setInterval(() => undefined, 1)\n',
      'server/src/platform/clock/system-clock.ts':
        'export const now = () => Date.now() + performance.now()\n',
      'server/src/clocks/late.test.ts': 'export const late = () => Date.now()\n',
    })
    const args = [packageProgram('oxlint'), '--format=json', 'contract', 'server', 'web', 'scripts']
    const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' })
    if (!stdout.startsWith('{')) throw new Error(stderr || stdout)
    reported = (JSON.parse(stdout) as { diagnostics: typeof reported }).diagnostics
  })

  test.each(Object.entries(BROKEN_LINT))('%s reports', (rule, [file]) => {
    const inFile = reported.filter(({ filename }) => filename.replaceAll('\\', '/').endsWith(file))
    expect(inFile.map(({ code }) => code.replace(/.*\((.*)\)/, '$1'))).toContain(rule)
  })

  test.each(['reading', 'limit', 'sleep', 'timer'])('the clock is handed in: %s', (name) => {
    expect(reported.some(({ filename }) => filename.endsWith(`server/src/clocks/${name}.ts`))).toBe(true)
  })

  test('the machine’s clock reads itself, and a test may read it', () => {
    expect(reported.filter(({ filename }) => /system-clock\.ts|late\.test\.ts/.test(filename))).toEqual([])
  })

  // The linter has no rule for it.
  test('no date is made of the present moment', () => {
    const folder = path.join(ROOT, 'server/src')
    const readers = fs
      .readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
      .filter((file) => readsPresent(fs.readFileSync(path.join(folder, file), 'utf8')))
    expect(readers).toEqual([])
    expect(readsPresent('const at = new Date()')).toBe(true)
    expect(readsPresent('const at = new Date(clock.nowMs())')).toBe(false)
  })

  test('scripts may write to the console', () => {
    expect(reported.filter(({ filename }) => filename.includes('talk.mjs'))).toEqual([])
  })
})

describe('the patterns', () => {
  const PLANTED: Record<string, [file: string, text: string, said: string]> = {
    'one that is scanned for from each place': [
      'server/src/scan.ts',
      'export const found = (text: string) => /a+@/.test(text)\n',
      'takes more than linear time',
    ],
    'two repetitions that share their characters': [
      'web/src/lib/twice.ts',
      "export const cut = (text: string) => text.replace(/^\\s*\\S*\\w*!/u, '')\n",
      'takes more than linear time',
    ],
    'a repetition of repetitions': [
      'contract/src/nested.ts',
      'export const nested = /^(\\d+)+$/\n',
      'takes exponential time',
    ],
    'a text that becomes a pattern': [
      'server/src/text.ts',
      "const name = '\\\\w+'\nexport const address = new RegExp(`${name}@` + name, 'i')\n",
      'takes more than linear time',
    ],
    'a pattern of a schema': [
      'contract/src/schema.ts',
      "export const schema = { pattern: '^.*a.*$' }\n",
      'takes more than linear time',
    ],
    'one that nobody can read here': [
      'server/src/late.ts',
      'export const late = (source: string) => new RegExp(source)\n',
      'is put together while the program runs',
    ],
    'one that the checker does not understand': [
      'server/src/again.ts',
      'export const again = /^(.+)\\1$/\n',
      'cannot be checked',
    ],
  }
  const CALM = {
    'server/src/calm.ts':
      "const digit = '[0-9]'\nexport const calm = [/^a+@/, /,\\s/g, new RegExp(`^${digit}+$`)]\n",
    'server/src/scan.test.ts': 'export const found = (text: string) => /a+@/.test(text)\n',
  }

  function check(files: Files) {
    const script = path.join(ROOT, 'scripts/patterns.mjs')
    const { status, stdout } = spawnSync(process.execPath, [script, copyWith(files)], { encoding: 'utf8' })
    return { status, lines: stdout.trim().split('\n') }
  }

  test('a file with safe patterns passes, and every pattern was checked', () => {
    expect(check(CALM)).toEqual({ status: 0, lines: ['3 patterns, 0 to rewrite'] })
  })

  test('every planted pattern is named with its file, and no other', () => {
    const planted = Object.fromEntries(Object.values(PLANTED).map(([file, text]) => [file, text]))
    const { status, lines } = check({ ...CALM, ...planted })
    expect(status).toBe(1)
    const said = lines.slice(0, -1).map((line) => line.split(':')[0])
    expect(said.toSorted()).toEqual(Object.keys(planted).toSorted())
    for (const [file, , words] of Object.values(PLANTED))
      expect(lines.find((line) => line.startsWith(file))).toContain(words)
  })
})
