// The checks that are no tests. Each runs to its end and resolves with an exit code.
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { packageProgram, runPinned } from './runtime.mjs'

const LINTED = ['contract', 'client', 'server', 'web', 'e2e', 'bench', 'scripts']

/** @typedef {{ stdio?: import('node:child_process').StdioOptions }} Output */

/** Each gets where its output goes. */
export const CHECKS = [
  { name: 'types', run: checkTypes },
  { name: 'lint', run: (to) => runPinned(packageProgram('oxlint'), LINTED, to) },
  {
    name: 'architecture rules',
    run: (to) =>
      runPinned(
        packageProgram('dependency-cruiser', 'depcruise'),
        ['--config', '.dependency-cruiser.mjs', 'contract', 'client', 'server', 'web'],
        to,
      ),
  },
  { name: 'patterns', run: (to) => runPinned('scripts/patterns.mjs', [], to) },
  { name: 'dead code', run: (to) => runPinned(packageProgram('knip'), [], to) },
  { name: 'format', run: (to) => runPinned(packageProgram('oxfmt'), ['--check', '.'], to) },
]

/** Two at a time, the two longest together. */
async function checkTypes(to) {
  const check = async (projects) => {
    let worst = 0
    for (const project of projects)
      worst = Math.max(
        worst,
        await runPinned(packageProgram('typescript-native', 'tsc'), ['-p', project], to),
      )
    return worst
  }
  return Math.max(...(await Promise.all([check(['server', 'contract', 'client']), check(['web', '.'])])))
}

/**
 * Runs checks two at a time, because most of them use one core. `ended` gets the output of each in one piece.
 * @template {{ name: string, run: (to: Output) => Promise<number> }} Check
 * @param {readonly Check[]} checks
 * @param {(check: Check, result: { code: number, said: string, ms: number }) => void} ended
 */
export async function runSideBySide(checks, ended) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'cellarhand-checks-'))
  const waiting = [...checks]
  const lane = async () => {
    for (let check = waiting.shift(); check; check = waiting.shift()) {
      const file = path.join(folder, check.name.replaceAll(' ', '-'))
      const output = fs.openSync(file, 'w')
      const began = Date.now()
      const code = await check.run({ stdio: ['ignore', output, output] })
      fs.closeSync(output)
      ended(check, { code, said: fs.readFileSync(file, 'utf8'), ms: Date.now() - began })
    }
  }
  try {
    await Promise.all([lane(), lane()])
  } finally {
    fs.rmSync(folder, { recursive: true, force: true })
  }
}
