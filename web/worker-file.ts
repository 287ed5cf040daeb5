// oxlint-disable import/no-nodejs-modules -- this file runs in Node, at build time
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Plugin } from 'vite'
import { transformWithOxc } from 'vite'

const source = join(import.meta.dirname, 'src', 'lib', 'device', 'desk-worker.ts')
/** The API's reference is a page of its own, and nobody scans an ID before the line is back. */
const leftOut = /\/(reference|decode-pdf417)-/

/** Writes the service worker with the names of the build's files in it, so that each build has a worker of its own. */
export function workerFile(): Plugin {
  return {
    name: 'worker-file',
    apply: 'build',
    generateBundle: {
      // The style sheet joins the bundle late.
      order: 'post',
      async handler(_options, bundle) {
        const names = Object.keys(bundle).filter((name) => /^assets\/.*\.(js|css)$/.test(name))
        const kept = names.map((name) => `/${name}`).filter((name) => !leftOut.test(name))
        const files = JSON.stringify(kept.toSorted())
        const { code } = await transformWithOxc(await readFile(source, 'utf8'), source)
        const build = createHash('sha256').update(code).update(files).digest('hex').slice(0, 12)
        const given = `const BUILD = '${build}'\nconst FILES = ${files}\n`
        this.emitFile({
          type: 'asset',
          fileName: 'desk-worker.js',
          source: `(() => {\n${given}${code}\n})()\n`,
        })
      },
    },
  }
}
