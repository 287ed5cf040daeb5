import { defineConfig } from 'vitest/config'

const included = JSON.parse(process.env['INCLUDED_TESTS'] ?? '["server/**/*.test.ts"]') as string[]

export default defineConfig({
  test: {
    pool: 'forks',
    // The files of a worker share loaded modules, which saves a third of their time. No module of ours holds state
    // that one file could leave behind for the next, and a test that changes its process restores it.
    isolate: false,
    // Twice the two cores of the usual machine, because many tests wait for the providers' clocks.
    maxWorkers: 4,
    // A test that passes only at a second try hides a fault of the test or of the product.
    retry: 0,
    // These limits only end a test that hangs: a busy machine must not fail a change.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 100_000, interval: 20 } },
    projects: [
      { extends: true, test: { name: 'contract', include: ['contract/src/**/*.test.ts'] } },
      { extends: true, test: { name: 'web', include: ['web/src/**/*.test.ts'] } },
      {
        extends: true,
        test: {
          name: 'server',
          include: included,
          exclude: ['**/node_modules/**', 'server/src/platform/postgres/**'],
          setupFiles: ['server/test/database/note-statements.ts'],
          globalSetup: ['server/test/database/global-setup.ts'],
        },
      },
      // The launcher's own tests start their own servers, and need none prepared.
      { extends: true, test: { name: 'postgres', include: ['server/src/platform/postgres/**/*.test.ts'] } },
      { extends: true, test: { name: 'scripts', include: ['scripts/**/*.test.ts'] } },
    ],
  },
})
