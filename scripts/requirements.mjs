// Lists the requirements of docs/requirements.md that no test names, or only tests of rules. A test names one by its id
// in its title.
import fs from 'node:fs'
import path from 'node:path'
import { listFiles, ROOT } from './runtime.mjs'

const ID = /\b[A-Z]+-\d{3}\b/g

/** The ids in a catalogue, in its order; gaps are not requirements. */
export function statedIds(catalogue) {
  const ids = [...catalogue.matchAll(/^- `([A-Z]+-\d{3})`/gm)].map((match) => match[1])
  return ids.filter((id) => !id.startsWith('GAP-'))
}

/** The ids in the titles of a test file. */
export function namedIds(source) {
  const titles = source.matchAll(
    /\b(?:test|it|describe)(?:\.\w+(?:\([^)]*\))?)*\(\s*(['"`])((?:\\.|(?!\1).)*)\1/gs,
  )
  return [...titles].flatMap((match) => match[2].match(ID) ?? [])
}

/** Whether a test runs the product: in a browser, or over HTTP on a real database. Others prove a rule alone. */
export function runsProduct(file, source) {
  return file.endsWith('.e2e.ts') || /\b(?:open(?:\w{1,20})?Desk|cloneDatabase)\(/.test(source)
}

export function coverage(stated, named) {
  const areas = new Map()
  for (const id of stated) {
    const area = id.split('-')[0]
    const row = areas.get(area) ?? { stated: 0, untested: [] }
    row.stated += 1
    if (!named.has(id)) row.untested.push(id)
    areas.set(area, row)
  }
  return areas
}

function testFiles() {
  const folders = ['contract', 'server', 'web', 'e2e', 'scripts'].map((folder) => path.join(ROOT, folder))
  return (
    folders
      .flatMap(listFiles)
      // The report's own test has titles within titles.
      .filter((file) => /\.(test\.tsx?|e2e\.ts)$/.test(file) && !file.endsWith('requirements.test.ts'))
  )
}

function report() {
  const catalogue = fs.readFileSync(path.join(ROOT, 'docs/requirements.md'), 'utf8')
  const stated = statedIds(catalogue)
  const areaNames = new Set(stated.map((id) => id.split('-')[0]))
  const named = new Set()
  const proven = new Set()
  let unknown = 0
  for (const file of testFiles()) {
    const source = fs.readFileSync(file, 'utf8')
    for (const id of namedIds(source)) {
      named.add(id)
      if (runsProduct(file, source)) proven.add(id)
      // ISO-8601, UTF-008 and the like are no ids of ours.
      if (!areaNames.has(id.split('-')[0]) || stated.includes(id)) continue
      unknown += 1
      console.error(`${path.relative(ROOT, file)} names ${id}, which docs/requirements.md does not state`)
    }
  }
  const areas = coverage(stated, named)
  const untested = [...areas.values()].flatMap((row) => row.untested)
  const byRule = stated.filter((id) => named.has(id) && !proven.has(id))
  console.log(
    `Requirements: ${stated.length} stated, ${untested.length} without a test, ${byRule.length} proven as a rule alone`,
  )
  for (const [area, row] of areas) {
    console.log(
      `  ${area.padEnd(7)} ${String(row.stated - row.untested.length).padStart(3)} of ${String(row.stated).padStart(3)} tested`,
    )
    if (process.argv.includes('--list') && row.untested.length > 0)
      console.log(`          without: ${row.untested.join(' ')}`)
  }
  if (process.argv.includes('--list')) console.log(`  as a rule alone: ${byRule.join(' ')}`)
  if (unknown > 0) process.exitCode = 1
}

if (process.argv[1] && import.meta.url.endsWith(path.basename(process.argv[1]))) report()
