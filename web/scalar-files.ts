// oxlint-disable import/no-nodejs-modules -- this file runs in Node, at build time
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Plugin } from 'vite'

const folder = join(import.meta.dirname, 'api-reference')

/** Scalar's own browser bundle from its plugin for Fastify, the only package that contains all of it. */
async function scalarBundle(): Promise<string> {
  const [{ default: fastify }, { default: scalar }] = await Promise.all([
    import('fastify'),
    import('@scalar/fastify-api-reference'),
  ])
  const app = fastify()
  await app.register(scalar, { routePrefix: '/', configuration: { content: {} } })
  const { body, statusCode } = await app.inject('/js/scalar.js')
  await app.close()
  if (statusCode !== 200) throw new Error(`Scalar's plugin answered ${statusCode} for its bundle.`)
  return body
}

async function isInstalled(): Promise<boolean> {
  try {
    await import('@scalar/fastify-api-reference')
    return true
  } catch {
    return false
  }
}

/** The page of the API documentation, with all its files. */
export function scalarFiles(): Plugin {
  return {
    name: 'scalar-files',
    apply: 'build',
    async generateBundle() {
      if (!(await isInstalled()))
        return this.warn('The page of the API documentation was left out: run npm ci.')
      const sources = new Map([['scalar.js', await scalarBundle()]])
      for (const name of ['look.css', 'keep-to-policy.js', 'start.js'])
        sources.set(name, await readFile(join(folder, name), 'utf8'))
      let page = await readFile(join(folder, 'page.html'), 'utf8')
      for (const [name, source] of sources) {
        const digest = createHash('sha256').update(source).digest('base64url').slice(0, 8)
        const fileName = `assets/reference-${name.replace('.', `-${digest}.`)}`
        this.emitFile({ type: 'asset', fileName, source })
        page = page.replace(`{${name}}`, `/${fileName}`)
      }
      this.emitFile({ type: 'asset', fileName: 'api-reference.html', source: page })
    },
  }
}
