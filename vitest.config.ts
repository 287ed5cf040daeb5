import { defineConfig } from 'vitest/config'

const excluded = process.env['EXCLUDED_TESTS']?.split(',') ?? []

export default defineConfig({
  test: {
    pool: 'forks',
    // The files of a worker share what is loaded, a third of their time. Nothing of ours lives in modules that one of
    // them could leave behind for the next, and a test that changes its process puts it back.
    isolate: false,
    // Twice the two cores of the machines this runs on: many tests wait for the clocks of providers.
    maxWorkers: 4,
    // As with the browser tests: a machine that is busy must not fail a change, and what needed it is named.
    retry: process.env['CI'] ? 1 : 0,
    testTimeout: 30_000,
    hookTimeout: 30_000,
    projects: [
      { extends: true, test: { name: 'contract', include: ['contract/src/**/*.test.ts'] } },
      { extends: true, test: { name: 'web', include: ['web/src/**/*.test.ts'] } },
      {
        extends: true,
        test: {
          name: 'server',
          include: ['server/**/*.test.ts'],
          exclude: ['**/node_modules/**', 'server/src/platform/postgres/**', ...excluded],
          globalSetup: ['server/test/global-setup.ts'],
        },
      },
      // The launcher's own tests start servers of their own, and need none prepared.
      { extends: true, test: { name: 'postgres', include: ['server/src/platform/postgres/**/*.test.ts'] } },
      { extends: true, test: { name: 'scripts', include: ['scripts/**/*.test.ts'], testTimeout: 120_000 } },
    ],
  },
})
