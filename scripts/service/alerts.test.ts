// Prometheus itself runs the rules, on series that make each of them fire.
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { ROOT } from '../runtime.mjs'

const rules = fs.readFileSync(path.join(ROOT, 'ops/alerts.yaml'), 'utf8')
const cases = fs.readFileSync(path.join(ROOT, 'ops/alerts.test.yaml'), 'utf8')
const names = [...rules.matchAll(/- alert: (\w+)/g)].map((match) => match[1] ?? '')
const promtool = spawnSync('promtool', ['--version']).status === 0
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'cellarhand-alerts-'))
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }))

function runRules(text: string): { status: number | null; said: string } {
  fs.writeFileSync(path.join(folder, 'alerts.yaml'), text)
  fs.writeFileSync(path.join(folder, 'alerts.test.yaml'), cases)
  const { status, stdout, stderr } = spawnSync('promtool', ['test', 'rules', 'alerts.test.yaml'], {
    cwd: folder,
    encoding: 'utf8',
  })
  return { status, said: stdout + stderr }
}

test('each alert has a case in which it fires and one in which it is silent', () => {
  const silent = [...cases.matchAll(/alertname: (\w+), exp_alerts: \[\]/g)].map((match) => match[1])
  const fired = [...cases.matchAll(/alertname: (\w+)\n\s+exp_alerts:\n/g)].map((match) => match[1])
  expect(names.length).toBeGreaterThan(10)
  expect(fired.toSorted()).toEqual(names.toSorted())
  for (const name of names) expect(silent).toContain(name)
})

test.skipIf(!promtool)(
  'Prometheus fires each alert (skipped without promtool, of Debian: prometheus)',
  () => {
    expect(runRules(rules)).toMatchObject({ status: 0, said: expect.stringContaining('SUCCESS') })
    const dead = runRules(rules.replaceAll(/expr: (.*)/g, 'expr: ($1) > 1e18'))
    expect(dead.status).toBe(1)
    for (const name of names) expect(dead.said).toMatch(new RegExp(`alertname: ?${name}\\b`))
  },
)
