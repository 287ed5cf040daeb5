import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import http, { type IncomingHttpHeaders } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createBareHttp } from '../../test/bare-http.ts'
import { serveDashboard } from './http/dashboard-files.ts'

const { app } = createBareHttp()
let folder: string
let url: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dashboard-files-'))
  const root = join(folder, 'dist')
  await mkdir(join(root, 'assets'), { recursive: true })
  await writeFile(join(folder, 'secret'), 'of somebody else')
  await writeFile(join(root, 'index.html'), 'the page')
  await writeFile(join(root, 'icon.svg'), '<svg/>')
  await writeFile(join(root, 'assets/a.js'), 'the script')
  await serveDashboard(app, { root, config: async () => ({}) })
  url = await app.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(async () => {
  await app.close()
  await rm(folder, { recursive: true })
})

interface Heard {
  readonly status: number | undefined
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

/** As it is: `fetch` would tidy the path up before it leaves. */
function ask(path: string, headers: Record<string, string> = {}): Promise<Heard> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    const request = http.get({ host: hostname, port, path, headers }, async (response) => {
      let text = ''
      for await (const part of response) text += String(part)
      resolve({ status: response.statusCode, headers: response.headers, text })
    })
    request.once('error', reject)
  })
}

test.each([
  '/assets/%2e%2e/x',
  '/assets/..%2f..%2fsecret',
  '/assets/%2e%2e/index.html',
  '/assets/../../secret',
  '/assets//a.js',
  '/assets/./a.js',
  '/assets/a.js%00',
  '/assets/%5c..%5cx',
  '/assets/.a.js',
  '/assets/none.js',
  '/assets/',
])('a path that leads to no file of the dashboard is not found, also for a browser: %s', async (path) => {
  for (const headers of [{}, { accept: 'text/html' }]) {
    const { status, text } = await ask(path, headers)
    expect([status, JSON.parse(text)]).toMatchObject([404, { code: 'not_found', status: 404 }])
  }
})

test.each(['/assets/a.js', '/icon.svg'])(
  'a wish for a part or a version that a file does not have is refused as such, and not kept for a year: %s',
  async (path) => {
    const whole = await ask(path)
    expect(whole.status).toBe(200)
    for (const [expected, headers] of [
      [416, { range: 'bytes=900-' }],
      [412, { 'if-match': '"another"' }],
    ] as const) {
      const { status, headers: answered, text } = await ask(path, headers)
      expect([status, text]).toEqual([expected, ''])
      expect(answered['cache-control'] ?? '').not.toMatch(/immutable/)
    }
  },
)
