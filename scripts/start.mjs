// npm start: installs missing packages, rebuilds a stale dashboard, and runs the server with its settings.
import path from 'node:path'
import { SERVER_ENV, SERVER_NODE_ARGS } from './launch/memory.mjs'
import { endsWithUs, ensureInstalled, ensureWebBuilt, ROOT, runPinned, SETTINGS_FILE } from './runtime.mjs'

// Saves the start the translation of TypeScript, and the memory of the translator.
process.env.NODE_COMPILE_CACHE ??= path.join(ROOT, 'node_modules/.cache/compiled')
await ensureInstalled()
await ensureWebBuilt()
process.exitCode = await runPinned('server/src/main.ts', process.argv.slice(2), {
  nodeArgs: [...SERVER_NODE_ARGS, ...SETTINGS_FILE, ...endsWithUs()],
  env: { ...SERVER_ENV, ...process.env },
})
