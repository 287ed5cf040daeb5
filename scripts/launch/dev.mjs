// npm run dev. Each change rebuilds the pages and restarts the server, which serves them: one port, one origin, as in
// production.
import fs from 'node:fs'
import path from 'node:path'
import { endsWithUs, ensureWebBuilt, packageProgram, ROOT, runPinned, SETTINGS_FILE } from '../runtime.mjs'

const WATCHED = ['contract/src', 'server/src', 'server/seed', 'server/migrations']
/** An editor writes a file in several steps. */
const SETTLED_MS = 100

export async function dev(args) {
  await ensureWebBuilt()
  const over = new AbortController()
  // The server reads the page when it starts, and a folder that is emptied first would lack it for a moment.
  const build = ['build', '--watch', '--no-emptyOutDir', '--logLevel', 'warn']
  const web = runPinned(packageProgram('vite'), build, {
    cwd: path.join(ROOT, 'web'),
    nodeArgs: endsWithUs(),
  }).finally(() => over.abort())
  const codes = await Promise.all([web, serveUntil(over.signal, args)])
  return Math.max(...codes)
}

async function serveUntil(over, args) {
  let changed = new AbortController()
  const watchers = watchSources(() => changed.abort())
  let code = 0
  while (!over.aborted) {
    changed = new AbortController()
    const end = AbortSignal.any([over, changed.signal])
    code = await runPinned('server/src/main.ts', args, {
      nodeArgs: [...SETTINGS_FILE, ...endsWithUs()],
      signal: end,
    })
    if (end.aborted) continue
    if (code !== 0)
      console.error(`The server ended with ${code}. It starts again after the next saved change.`)
    await new Promise((resolve) => end.addEventListener('abort', resolve))
  }
  for (const watcher of watchers) watcher.close()
  return code
}

function watchSources(onChange) {
  let timer
  const take = (isOurs) => (_event, name) => {
    if (name === null || !isOurs(name)) return
    clearTimeout(timer)
    timer = setTimeout(onChange, SETTLED_MS)
  }
  return [
    ...WATCHED.map((folder) =>
      fs.watch(
        path.join(ROOT, folder),
        { recursive: true },
        take((name) => !name.endsWith('.test.ts')),
      ),
    ),
    fs.watch(
      ROOT,
      take((name) => name === '.env'),
    ),
  ]
}
