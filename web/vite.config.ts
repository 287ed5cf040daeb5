// oxlint-disable import/no-nodejs-modules -- this file runs in Node, at build time
import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import react from '@vitejs/plugin-react'
import type { Plugin } from 'vite'
import { defineConfig } from 'vite'
import { scalarFiles } from './scalar-files.ts'
import { workerFile } from './worker-file.ts'

const SMALLEST_BYTES = 1024
/** Above this size, the last percent of brotli costs more seconds than the rest of the build. */
const LARGE_BYTES = 1024 * 1024

/** Compressed files beside the originals, as small as possible; the server sends them as they are. */
function precompressed(): Plugin {
  return {
    name: 'precompressed',
    apply: 'build',
    // From the written files, because Vite's placeholders in the bundle are not filled yet.
    async writeBundle({ dir = '' }, bundle) {
      for (const name of Object.keys(bundle).filter((each) => /\.(js|css)$/.test(each))) {
        const path = join(dir, name)
        const source = await readFile(path)
        if (source.length < SMALLEST_BYTES) continue
        const isLarge = source.length > LARGE_BYTES
        const quality = { [constants.BROTLI_PARAM_QUALITY]: isLarge ? 9 : constants.BROTLI_MAX_QUALITY }
        await writeFile(`${path}.br`, await promisify(brotliCompress)(source, { params: quality }))
        await writeFile(`${path}.gz`, await promisify(gzip)(source, { level: constants.Z_BEST_COMPRESSION }))
      }
    },
  }
}

const fileOfHash = new Map<string, string>()

/** The first script contains every class name of the order list, so the names are short. */
function className(name: string, file: string): string {
  const hash = createHash('sha256')
    .update(relative(import.meta.dirname, file))
    .digest('base64url')
    .slice(0, 3)
  const other = fileOfHash.get(hash) ?? file
  if (other !== file) throw new Error(`Rename ${file}: its classes would have the names of those of ${other}`)
  fileOfHash.set(hash, file)
  return name + hash
}

export default defineConfig({
  css: { modules: { generateScopedName: className } },
  // React has had this hook since 18, so the substitute for older versions is not needed.
  resolve: {
    alias: { 'use-sync-external-store/shim/with-selector': 'use-sync-external-store/with-selector' },
  },
  plugins: [react(), scalarFiles(), workerFile(), precompressed()],
  build: {
    outDir: 'dist',
    sourcemap: false,
    target: 'es2022',
    assetsInlineLimit: 0,
    cssCodeSplit: false,
    modulePreload: {
      polyfill: false,
      // The page asks for all files of the first screen at once. They are there before any part asks for them again.
      resolveDependencies: (_file, files, { hostType }) =>
        hostType === 'html' ? files : files.filter((file) => !/\/(vendor|rolldown-runtime)-/.test(file)),
    },
    rolldownOptions: {
      // No getter of ours or of a library does anything: what only reads and is not used goes.
      treeshake: { propertyReadSideEffects: false },
      // A number or text of another file costs fewer bytes than its name.
      optimization: { inlineConst: { mode: 'all' } },
      output: {
        // The first script names every other one, and a hash is the one part of a name that does not compress.
        entryFileNames: 'assets/[name]-[hash:7].js',
        chunkFileNames: 'assets/[name]-[hash:7].js',
        codeSplitting: {
          groups: [
            { name: 'vendor', test: /node_modules|rolldown[\\/]runtime/, tags: ['$initial'], priority: 2 },
            { name: 'desk', tags: ['$initial'], priority: 1 },
            // What several dialogs and pages of orders have in common, and the settings do not.
            {
              name: 'order-parts',
              test: /web[\\/]src[\\/](orders|delivery)[\\/].*\.tsx?$|contract[\\/]src[\\/](orders[\\/]|delivery[\\/](?!door-checks))/,
              minShareCount: 3,
              includeDependenciesRecursively: false,
            },
            // Code of three or more parts: as separate tiny files, it would cost more requests than it saves.
            {
              name: 'shared',
              test: /(web|contract)[\\/]src[\\/].*\.tsx?$|node_modules/,
              minShareCount: 3,
              includeDependenciesRecursively: false,
            },
            // What the list shows once it is painted comes at one moment.
            {
              name: 'painted',
              test: /orders[\\/](filters[\\/](class-choice|phone-tools)|list[\\/](sort-choice|group-head)|next[\\/]next-bar|select[\\/]selection-tray)\./,
            },
            {
              name: 'order-cards',
              test: /order-cards\.tsx|virtual-cards/,
              includeDependenciesRecursively: false,
            },
            // Icons, class names and a few bytes of several parts: a file for each would only add names to the first script.
            {
              name: 'signs',
              test: /@tabler|\.module\.css|[\\/](screen-kind|ask-lists-again|two-step-query|source-link|duty-note|hashed-user|judge-pick|scanner|toggle|way-fields|way-labels|zone-lead|wall-time|useCanGoBack|save-details|company-queries|label-fixes|banner|queries)\.tsx?$/,
              minShareCount: 2,
              includeDependenciesRecursively: false,
            },
          ],
        },
      },
    },
  },
})
