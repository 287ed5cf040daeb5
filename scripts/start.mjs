// npm start: installs missing packages, rebuilds a stale dashboard, and runs the server with its settings.
import { ensureInstalled, ensureWebBuilt, runPinned, SETTINGS_FILE } from './runtime.mjs'

ensureInstalled()
await ensureWebBuilt()
process.exitCode = await runPinned('server/src/main.ts', process.argv.slice(2), { nodeArgs: SETTINGS_FILE })
