// npm start: installs what is missing, builds what is stale, and runs the server with everything it needs.
import { ensureInstalled, ensureWebBuilt, runPinned, SETTINGS_FILE } from './runtime.mjs'

ensureInstalled()
await ensureWebBuilt()
process.exitCode = await runPinned('server/src/main.ts', process.argv.slice(2), { nodeArgs: SETTINGS_FILE })
