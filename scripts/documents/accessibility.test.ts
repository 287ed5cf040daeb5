import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from '../runtime.mjs'

const report = fs.readFileSync(path.join(ROOT, 'docs/accessibility.md'), 'utf8')

/** WCAG 2.2, without 4.1.1, which is obsolete. */
const levels = {
  A: '1.1.1 1.2.1 1.2.2 1.2.3 1.3.1 1.3.2 1.3.3 1.4.1 1.4.2 2.1.1 2.1.2 2.1.4 2.2.1 2.2.2 2.3.1 2.4.1 2.4.2 2.4.3 2.4.4 2.5.1 2.5.2 2.5.3 2.5.4 3.1.1 3.2.1 3.2.2 3.2.6 3.3.1 3.3.2 3.3.7 4.1.2',
  AA: '1.2.4 1.2.5 1.3.4 1.3.5 1.4.3 1.4.4 1.4.5 1.4.10 1.4.11 1.4.12 1.4.13 2.4.5 2.4.6 2.4.7 2.4.11 2.5.7 2.5.8 3.1.2 3.2.3 3.2.4 3.3.3 3.3.4 3.3.8 4.1.3',
}
const results = ['Supports', 'Partially supports', 'Does not support', 'Not applicable']

const rows = [...report.matchAll(/^\| (\d+\.\d+\.\d+) [^|]+ \| (A+) \| ([^|]+) \| [^|]+ \| [^|]+ \|$/gm)].map(
  ([, id = '', level = '', result = '']) => ({ id, level, result }),
)

test('the accessibility report has each criterion of level A and AA once, with its level and a result', () => {
  for (const [level, ids] of Object.entries(levels))
    expect(rows.filter((row) => row.level === level).map(({ id }) => id)).toEqual(ids.split(' '))
  expect(rows).toHaveLength(55)
  expect(rows.filter(({ result }) => !results.includes(result))).toEqual([])
})

test('its summary counts the rows', () => {
  for (const level of Object.keys(levels)) {
    const counts = results.map(
      (result) => rows.filter((row) => row.level === level && row.result === result).length,
    )
    expect(report).toContain(`| ${level} | ${counts.join(' | ')} |`)
  }
})

test('every partial result has its limit and the work that would remove it', () => {
  const limits = report.slice(report.indexOf('## Known limits'))
  const partial = rows.filter(
    ({ result }) => result === 'Partially supports' || result === 'Does not support',
  )
  expect(partial.filter(({ id }) => !limits.includes(id))).toEqual([])
})

test('every file that it names exists', () => {
  const named = [...report.matchAll(/`([\w.-]+(?:\/[\w.-]+)+\.\w+)`/g)].map(([, file = '']) => file)
  expect(named.length).toBeGreaterThan(30)
  expect(named.filter((file) => !fs.existsSync(path.join(ROOT, file)))).toEqual([])
})

test('it is about the version of the product', () => {
  const { version } = JSON.parse(fs.readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as {
    version: string
  }
  expect(report).toContain(`| version | ${version} |`)
})
