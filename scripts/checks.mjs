// The checks that are no tests. Each runs to its end and resolves with an exit code.
import { packageProgram, runPinned } from './runtime.mjs'

const LINTED = ['contract', 'client', 'server', 'web', 'e2e', 'bench', 'scripts']

export const CHECKS = [
  { name: 'types', run: checkTypes },
  { name: 'lint', run: () => runPinned(packageProgram('oxlint'), LINTED) },
  {
    name: 'architecture rules',
    run: () =>
      runPinned(packageProgram('dependency-cruiser', 'depcruise'), [
        '--config',
        '.dependency-cruiser.mjs',
        'contract',
        'client',
        'server',
        'web',
      ]),
  },
  { name: 'patterns', run: () => runPinned('scripts/patterns.mjs') },
  { name: 'dead code', run: () => runPinned(packageProgram('knip')) },
  { name: 'format', run: () => runPinned(packageProgram('oxfmt'), ['--check', '.']) },
]

/** Two at a time, the two longest together. */
async function checkTypes() {
  const check = async (projects) => {
    let worst = 0
    for (const project of projects)
      worst = Math.max(worst, await runPinned(packageProgram('typescript-native', 'tsc'), ['-p', project]))
    return worst
  }
  return Math.max(...(await Promise.all([check(['server', 'contract', 'client']), check(['web', '.'])])))
}
