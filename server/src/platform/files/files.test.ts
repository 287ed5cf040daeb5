import { createHash, createHmac } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createDiskStore } from './disk-store.ts'
import { FileDamaged, type FileStore } from './file-store.ts'
import { createS3Store } from './s3-store.ts'

const secret = 'secret-of-the-bucket'
const bytes = Buffer.from('%PDF-1.7 Zoë \u0000\u0001')

/** What both stores promise, and how each is harmed from outside. */
function promises(open: () => { store: FileStore; harm: (name: string) => Promise<void> }): void {
  test('a file comes back as it was put, is replaced by another of its name, and can be removed twice', async () => {
    const { store } = open()
    expect(await store.get('a.pdf')).toBeUndefined()
    await store.put('a.pdf', bytes)
    expect(await store.get('a.pdf')).toEqual(bytes)
    await store.put('a.pdf', Buffer.from('newer'))
    expect((await store.get('a.pdf'))?.toString()).toBe('newer')
    await store.remove('a.pdf')
    await store.remove('a.pdf')
    expect(await store.get('a.pdf')).toBeUndefined()
  })

  test('a file that was changed since is not handed out', async () => {
    const { store, harm } = open()
    await store.put('b.pdf', bytes)
    await harm('b.pdf')
    await expect(store.get('b.pdf')).rejects.toThrow(FileDamaged)
  })

  test('no name leads out of the store', async () => {
    const { store } = open()
    for (const name of ['../x', 'a/b', '', '.hidden', 'x'.repeat(201), 'a\u0000b'])
      await expect((async () => store.get(name))()).rejects.toThrow('cannot be the name')
  })
}

describe('on disk', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'cellarhand-files-'))
  })
  afterAll(() => rm(folder, { recursive: true }))
  promises(() => ({
    store: createDiskStore(folder),
    async harm(name) {
      const path = join(folder, 'files', name)
      const file = await readFile(path)
      file[file.length - 1] = (file.at(-1) ?? 0) ^ 1
      await writeFile(path, file)
    },
  }))

  test('many writers of one file leave one of theirs, whole, and no drafts', async () => {
    const store = createDiskStore(folder)
    await Promise.all(
      Array.from({ length: 20 }, (_, index) => store.put('c.pdf', Buffer.alloc(5_000, index))),
    )
    const file = await store.get('c.pdf')
    expect(new Set(file).size).toBe(1)
    expect((await readdir(join(folder, 'files'))).filter((name) => name.endsWith('.draft'))).toEqual([])
  })
})

describe('in S3', () => {
  const objects = new Map<string, Buffer>()
  const answers: number[] = []
  let server: Server
  let port: number
  beforeAll(async () => {
    server = createServer((request, reply) => {
      void answer(request).then(({ status, body, etag }) => {
        reply.writeHead(status, { 'content-length': body.length, ...(etag ? { etag } : {}) })
        reply.end(body)
      })
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    port = (server.address() as AddressInfo).port
  })
  afterAll(() => server.close())

  async function answer(request: IncomingMessage) {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks)
    const forced = answers.shift()
    if (forced !== undefined) return { status: forced, body: s3Error('SlowDown') }
    if (!isSigned(request)) return { status: 403, body: s3Error('SignatureDoesNotMatch') }
    const key = request.url?.split('?')[0] ?? ''
    if (request.method === 'PUT') {
      objects.set(key, body)
      return { status: 200, body: Buffer.alloc(0), etag: '"x"' }
    }
    if (request.method === 'DELETE') {
      objects.delete(key)
      return { status: 204, body: Buffer.alloc(0) }
    }
    const found = objects.get(key)
    return found === undefined
      ? { status: 404, body: s3Error('NoSuchKey') }
      : { status: 200, body: found, etag: '"x"' }
  }

  function s3Error(code: string): Buffer {
    return Buffer.from(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>${code}</Message></Error>`)
  }

  const open = (secretAccessKey = secret) =>
    createS3Store({
      endpoint: `http://127.0.0.1:${port}/desk-files`,
      region: 'us-east-1',
      accessKeyId: 'desk',
      secretAccessKey,
    })
  promises(() => ({
    store: open(),
    async harm(name) {
      const file = Buffer.from(objects.get(`/desk-files/${name}`) ?? [])
      file[file.length - 1] = (file.at(-1) ?? 0) ^ 1
      objects.set(`/desk-files/${name}`, file)
    },
  }))

  test('a store that is briefly overloaded is asked again, and one that refuses is not', async () => {
    const store = open()
    answers.push(503, 500)
    await store.put('d.pdf', bytes)
    expect(await store.get('d.pdf')).toEqual(bytes)
    await expect(open('a wrong secret').put('e.pdf', bytes)).rejects.toThrow()
    expect(objects.has('/desk-files/e.pdf')).toBe(false)
  })
})

/** Signature Version 4, reckoned from what arrived and the secret alone. */
function isSigned(request: IncomingMessage): boolean {
  const given = /Credential=([^,]+),\s*SignedHeaders=([^,]+),\s*Signature=(\w+)/.exec(
    request.headers.authorization ?? '',
  )
  if (given === null) return false
  const [, credential = '', signedHeaders = '', signature] = given
  const [, day = '', region = '', service = ''] = credential.split('/')
  const [path = '', query = ''] = (request.url ?? '').split('?')
  const canonical = [
    request.method,
    path,
    query,
    ...signedHeaders.split(';').map((name) => `${name}:${String(request.headers[name]).trim()}`),
    '',
    signedHeaders,
    request.headers['x-amz-content-sha256'],
  ].join('\n')
  const text = [
    'AWS4-HMAC-SHA256',
    request.headers['x-amz-date'],
    `${day}/${region}/${service}/aws4_request`,
    createHash('sha256').update(canonical).digest('hex'),
  ].join('\n')
  const key = [day, region, service, 'aws4_request'].reduce<Buffer | string>(
    (last, part) => createHmac('sha256', last).update(part).digest(),
    `AWS4${secret}`,
  )
  return createHmac('sha256', key).update(text).digest('hex') === signature
}
