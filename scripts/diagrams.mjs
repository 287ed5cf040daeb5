// Draws the diagrams of docs/architecture.md from the imports.
import { spawnSync } from 'node:child_process'
import { packageProgram, pinnedNode, ROOT } from './runtime.mjs'

/** Every slice uses them. */
const SHARED = new Set(['platform', 'ui', 'lib'])
const DRAWN = /<!-- drawn: (?<name>[\w ]+) -->\n.*?<!-- end -->/gs

/** The architecture's text, with every diagram redrawn from the imports. */
export function withDiagrams(text, modules) {
  return text.replaceAll(DRAWN, (_, name) => {
    const [kind, folder] = name.split(' of ')
    const lines = mermaid(edges(modules, kind === 'slices' ? `${folder}/src` : roomsRoot(folder)))
    return `<!-- drawn: ${name} -->\n\`\`\`mermaid\nflowchart LR\n${lines}\n\`\`\`\n<!-- end -->`
  })
}

const roomsRoot = (name) => name.replace(' ', '/src/')

/** Modules with their imports, without tests. */
export function readImports() {
  const args = ['--config', '.dependency-cruiser.mjs', '--output-type', 'json', 'server/src', 'web/src']
  const { stdout, stderr } = spawnSync(
    pinnedNode(),
    [packageProgram('dependency-cruiser', 'depcruise'), ...args],
    { cwd: ROOT, encoding: 'utf8', maxBuffer: 200_000_000 },
  )
  if (!stdout.startsWith('{')) throw new Error(stderr || stdout)
  return JSON.parse(stdout).modules.filter(({ source }) => !source.includes('.test.'))
}

/** The imports between the folder's children: folders, and the files beside them. */
function edges(modules, folder) {
  const childOf = (file) => {
    if (!file.startsWith(`${folder}/`)) return undefined
    const child = file.slice(folder.length + 1).split('/')[0]
    return SHARED.has(child) ? undefined : child
  }
  const found = new Map()
  for (const { source, dependencies } of modules) {
    const from = childOf(source)
    for (const { resolved } of from === undefined ? [] : dependencies) {
      const to = childOf(resolved)
      // A file beside the folders is drawn for its imports, not for its importers.
      if (to === undefined || to === from || to.includes('.')) continue
      found.set(from, (found.get(from) ?? new Set()).add(to))
    }
  }
  return found
}

function mermaid(found) {
  const node = (name) => (/^\w+$/.test(name) ? name : `${name.replaceAll(/\W/g, '_')}["${name}"]`)
  return [...found]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([from, to]) => `  ${node(from)} --> ${[...to].toSorted().map(node).join(' & ')}`)
    .join('\n')
}
