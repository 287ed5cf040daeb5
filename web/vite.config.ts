import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const server = 'http://127.0.0.1:4400'
const ours = ['/a/v2', '/c/v2', '/m/v2', '/v1', '/maps', '/docs', '/demo', '/images']

export default defineConfig({
  plugins: [react()],
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
