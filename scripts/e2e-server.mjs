// The browser tests' server: a demo of its own on the port in PORT, deleted when it ends.
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { runPinned } from './runtime.mjs'

// The tests name the folder, so that they can run the admin commands' work in its database.
const folder = process.env.E2E_DATA_DIR ?? fs.mkdtempSync(path.join(os.tmpdir(), 'cellarhand-'))
fs.mkdirSync(folder, { recursive: true })
// When root starts it, the database runs as another user, and that user has to pass.
fs.chmodSync(folder, 0o711)
const env = {
  ...process.env,
  DATA_DIR: folder,
  DEMO: '1',
  DATABASE_URL: '',
  HOST: '127.0.0.1',
  // No courier moves while a test looks at it.
  COURIER_SANDBOX_PACE: '0.01',
  SHOW_LEGACY_BILLING: '1',
}
try {
  process.exitCode = await runPinned('server/src/main.ts', [], {
    env,
    stdio: ['ignore', 'inherit', 'inherit'],
  })
} finally {
  fs.rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
}
