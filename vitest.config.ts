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
    // A test that passes at a second try hides a fault, of the test or of the product.
    retry: 0,
    // These limits end what hangs. They say nothing about speed: a busy machine must not fail a change.
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
          include: ['server/**/*.test.ts'],
          exclude: ['**/node_modules/**', 'server/src/platform/postgres/**', ...excluded],
          globalSetup: ['server/test/database/global-setup.ts'],
        },
      },
      // The launcher's own tests start servers of their own, and need none prepared.
      { extends: true, test: { name: 'postgres', include: ['server/src/platform/postgres/**/*.test.ts'] } },
      { extends: true, test: { name: 'scripts', include: ['scripts/**/*.test.ts'] } },
    ],
  },
})
