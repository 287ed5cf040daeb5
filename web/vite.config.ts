// oxlint-disable import/no-nodejs-modules -- this file runs in Node, at build time
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import react from '@vitejs/plugin-react'
import type { Plugin } from 'vite'
import { defineConfig } from 'vite'

const server = 'http://127.0.0.1:4400'
const ours = ['/a/v2', '/c/v2', '/m/v2', '/v1', '/maps', '/docs', '/demo', '/images']

const SMALLEST_BYTES = 1024

/** Files beside the originals, as small as they get: the server sends them as they are. */
function precompressed(): Plugin {
  return {
    name: 'precompressed',
    apply: 'build',
    enforce: 'post',
    async generateBundle(_, bundle) {
      const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } }
      for (const file of Object.values(bundle)) {
        const source = Buffer.from(file.type === 'chunk' ? file.code : file.source)
        if (!/\.(js|css|svg)$/.test(file.fileName) || source.length < SMALLEST_BYTES) continue
        const br = await promisify(brotliCompress)(source, brotli)
        this.emitFile({ type: 'asset', fileName: `${file.fileName}.br`, source: br })
        const gz = await promisify(gzip)(source, { level: constants.Z_BEST_COMPRESSION })
        this.emitFile({ type: 'asset', fileName: `${file.fileName}.gz`, source: gz })
      }
    },
  }
}

export default defineConfig({
  plugins: [react(), precompressed()],
  server: { proxy: Object.fromEntries(ours.map((path) => [path, server])) },
  preview: { proxy: Object.fromEntries(ours.map((path) => [path, server])) },
  build: {
    outDir: 'dist',
    sourcemap: false,
    target: 'es2022',
    assetsInlineLimit: 0,
    cssCodeSplit: false,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'vendor', test: /node_modules|rolldown[\\/]runtime/, tags: ['$initial'], priority: 2 },
            { name: 'desk', tags: ['$initial'], priority: 1 },
          ],
        },
      },
    },
  },
})
