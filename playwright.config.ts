import os from 'node:os'
import path from 'node:path'
import { defineConfig, devices } from '@playwright/test'
import { CHROMIUM_ARGUMENTS, findChromium, findHeadlessShell } from './scripts/chromium.mjs'
import { freePort } from './scripts/launch/free-port.mjs'

// Every worker reads this file again, and must find the same server.
const port = (process.env['E2E_PORT'] ??= String(await freePort()))
const dataDir = (process.env['E2E_DATA_DIR'] ??= path.join(os.tmpdir(), `cellarhand-e2e-${port}`))
const baseURL = `http://127.0.0.1:${port}`

/** The tag in the titles of tests that look at what is printed, which the headless shell does not show. */
const prints = /@prints/
const desktop = { ...devices['Desktop Chrome'], viewport: { width: 1440, height: 900 } }

function startedAs(executablePath: string | undefined) {
  return { launchOptions: { args: CHROMIUM_ARGUMENTS, ...(executablePath ? { executablePath } : {}) } }
}

export default defineConfig({
  testDir: 'e2e',
  testMatch: '**/*.e2e.ts',
  outputDir: 'test-results',
  forbidOnly: Boolean(process.env['CI']),
  // A test that passes only at a second try hides a fault of the test or of the product.
  retries: 0,
  fullyParallel: false,
  // One more than the cores, because some tests wait for things that happen after some seconds.
  workers: 3,
  // These limits only end a test that hangs: a busy machine must not fail a change.
  timeout: 240_000,
  expect: { timeout: 60_000, toPass: { timeout: 90_000 } },
  reporter: process.env['PLAYWRIGHT_JSON_OUTPUT_FILE'] ? [['list'], ['json']] : [['list']],
  use: {
    baseURL,
    // The worker would serve parts that a test holds back on purpose. `e2e/offline` lets it work.
    serviceWorkers: 'block',
    // Each frame of an animation is painted by the processor. `orders/road.e2e.ts` sees the desk with its motion.
    contextOptions: { reducedMotion: 'reduce' },
    actionTimeout: 120_000,
    // Tracing every test costs a third of the total time; use `--trace on` when needed.
    trace: 'off',
  },
  projects: [
    { name: 'printing', grep: prints, use: { ...desktop, ...startedAs(findChromium()) } },
    {
      name: 'desktop',
      grepInvert: prints,
      use: { ...desktop, ...startedAs(findHeadlessShell() ?? findChromium()) },
    },
  ],
  webServer: {
    command: 'node scripts/e2e-server.mjs',
    url: `${baseURL}/readyz`,
    env: { PORT: port, E2E_DATA_DIR: dataDir },
    // Only if E2E_PORT names a server that a developer keeps running while writing tests.
    reuseExistingServer: true,
    timeout: 600_000,
    stdout: 'ignore',
    stderr: 'pipe',
    gracefulShutdown: { signal: 'SIGTERM', timeout: 20_000 },
  },
})
