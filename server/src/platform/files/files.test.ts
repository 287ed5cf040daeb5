import { spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTurnedClock, passingBy } from '../../../test/turned-clock.ts'
import { openHealthBook, type HealthBook } from '../../../test/database/health-book.ts'
import { startS3Server, type S3Server } from '../../../test/providers/s3-server.ts'
import { listProviderHealth } from '../outside/health.ts'
import { ProviderError } from '../outside/provider-error.ts'
import { createDiskStore, diskFolder } from './disk-store.ts'
import { FileDamaged, handingOut, type FileStore } from './file-store.ts'
import { createS3Store, type S3Settings } from './s3-store.ts'

const bytes = Buffer.from('%PDF-1.7 Zoë \u0000\u0001')

/** The tests for both stores; `harm` damages a file from outside. */
function promises(open: () => { store: FileStore; harm: (name: string) => Promise<void> }): void {
  test('a file comes back unchanged, another of its name replaces it, and it can be removed twice', async () => {
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

  test('a changed file is not served', async () => {
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

/**
 * Calls a store in a process that may write so many blocks of 512 bytes to a file; returns the error's code, or `done`.
 * As on a full disk, the first write stores a part and does not fail.
 */
function beyondLimit(dataDir: string, blocks: number, call: string): string {
  const store = JSON.stringify(new URL('./disk-store.ts', import.meta.url).href)
  const program = `
    const { createDiskStore } = await import(${store})
    const done = createDiskStore(${JSON.stringify(dataDir)}).${call}
    process.stdout.write(await done.then(() => 'done', (error) => error.code))`
  const limited = [
    '-c',
    `ulimit -f ${blocks}; exec "$0" "$@"`,
    process.execPath,
    '--input-type=module',
    '-e',
    program,
  ]
  return spawnSync('sh', limited, { encoding: 'utf8' }).stdout
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

  test('many writers of one file leave one complete file, and no drafts', async () => {
    const store = createDiskStore(folder)
    await Promise.all(
      Array.from({ length: 20 }, (_, index) => store.put('c.pdf', Buffer.alloc(5_000, index))),
    )
    const file = await store.get('c.pdf')
    expect(new Set(file).size).toBe(1)
    expect((await readdir(join(folder, 'files'))).filter((name) => name.endsWith('.draft'))).toEqual([])
  })

  // Windows has no such limit; there the next test shows that nothing is left.
  test.runIf(process.platform !== 'win32')(
    'when the disk takes only a part of a file, the former one stays, and no draft is left',
    async () => {
      const dataDir = await mkdtemp(join(folder, 'full-'))
      const store = createDiskStore(dataDir)
      await store.put('d.pdf', bytes)
      expect(beyondLimit(dataDir, 1_024, `put('d.pdf', Buffer.alloc(3_000_000))`)).toBe('EFBIG')
      expect(await readdir(diskFolder(dataDir))).toEqual(['d.pdf'])
      expect(await store.get('d.pdf')).toEqual(bytes)
    },
  )

  // A full disk still makes an empty file, and often has a block or two left.
  test.runIf(process.platform !== 'win32')(
    'a probe fails while the disk takes a small file alone, and leaves nothing',
    async () => {
      const dataDir = await mkdtemp(join(folder, 'little-'))
      expect(beyondLimit(dataDir, 256, 'probe()')).toBe('done')
      expect(beyondLimit(dataDir, 16, 'probe()')).toBe('EFBIG')
      expect(await readdir(diskFolder(dataDir))).toEqual([])
    },
  )

  test('a file that cannot be renamed leaves no draft', async () => {
    const dataDir = await mkdtemp(join(folder, 'named-'))
    await mkdir(join(diskFolder(dataDir), 'e.pdf', 'inside'), { recursive: true })
    await expect(createDiskStore(dataDir).put('e.pdf', bytes)).rejects.toThrow(/EISDIR|EPERM|ENOTEMPTY/)
    expect(await readdir(diskFolder(dataDir))).toEqual(['e.pdf'])
  })

  test('a probe reports whether the store takes files, and leaves nothing', async () => {
    const dataDir = await mkdtemp(join(folder, 'probed-'))
    const { probe } = createDiskStore(dataDir)
    await probe?.()
    expect(await readdir(diskFolder(dataDir))).toEqual([])
    await rm(diskFolder(dataDir), { recursive: true })
    await writeFile(diskFolder(dataDir), '')
    await expect(probe?.()).rejects.toThrow('EEXIST')
  })

  test('old files go, and drafts of killed writers too; young files and strangers’ files stay', async () => {
    const dataDir = await mkdtemp(join(folder, 'old-'))
    const store = createDiskStore(dataDir)
    await store.removeOlderThan?.(new Date())
    const draft = '.0b9f9a0e-8f0c-4c7e-9d53-6a0f6c1c2b11.draft'
    for (const name of ['old.pdf', 'young.pdf']) await store.put(name, bytes)
    for (const name of [draft, '.keep']) await writeFile(join(diskFolder(dataDir), name), '')
    const yesterday = new Date(Date.now() - 86_400_000)
    for (const name of ['old.pdf', draft, '.keep'])
      await utimes(join(diskFolder(dataDir), name), yesterday, yesterday)
    await store.removeOlderThan?.(new Date(Date.now() - 3_600_000))
    expect((await readdir(diskFolder(dataDir))).toSorted()).toEqual(['.keep', 'young.pdf'])
  })
})

describe('in S3', () => {
  const clock = createTurnedClock()
  let book: HealthBook
  let s3: S3Server
  beforeAll(async () => {
    book = await openHealthBook(undefined, clock)
  })
  afterAll(() => book.close())
  beforeEach(async () => {
    await book.empty()
    s3 = await startS3Server()
  })
  afterEach(async () => {
    await s3.stop()
    await book.health.settled()
  })

  const open = (changes: Partial<S3Settings> = {}) =>
    createS3Store({ ...s3.settings, ...changes }, book.health)
  promises(() => ({
    store: open(),
    async harm(name) {
      const stored = s3.objects.get(`/desk-files/${name}`)
      stored?.bytes.writeUInt8(stored.bytes.readUInt8(0) ^ 1, 0)
    },
  }))

  async function recorded() {
    await book.health.settled()
    return (await listProviderHealth(book.db)).map((row) => [row.last_failure_reason, row.failures_in_a_row])
  }

  async function failureOf(work: Promise<unknown>): Promise<ProviderError> {
    const error = await work.catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(ProviderError)
    return error as ProviderError
  }

  test('an object is the file alone, and one stored without its checksum is refused', async () => {
    const store = open()
    await store.put('d.pdf', bytes)
    const stored = s3.objects.get('/desk-files/d.pdf')
    expect([stored?.bytes, stored?.type]).toEqual([bytes, 'application/pdf'])
    s3.objects.set('/desk-files/e.pdf', { bytes, meta: {}, type: '' })
    await expect(store.get('e.pdf')).rejects.toThrow(FileDamaged)
  })

  test.each([
    ['an error of its own', { status: 503, text: '<Error>' }, 'an error of its own (503)'],
    ['a gateway’s page', { status: 502, text: '<html>' }, 'an error of its own (502)'],
    ['a full queue', { status: 429, headers: { 'retry-after': '1' } }, 'too many requests (429)'],
    ['a cut line', 'drop', 'the connection broke off'],
    ['silence', 'hang', 'no answer in time'],
  ] as const)('after %s a file is put, read and taken away all the same', async (_name, trouble, why) => {
    // A limit for all requests would also end those that a slow machine answers late.
    const isSilent = trouble === 'hang'
    const store = open(isSilent ? { timeoutMs: 1_500 } : {})
    const ended = <T>(work: Promise<T>) => (isSilent ? work : passingBy(clock.turn, work))
    s3.next(trouble)
    await ended(store.put('f.pdf', bytes))
    s3.next(trouble)
    expect(await ended(store.get('f.pdf'))).toEqual(bytes)
    s3.next(trouble)
    await ended(store.remove('f.pdf'))
    expect([s3.objects.size, s3.requests.length]).toEqual([0, 6])
    expect(await recorded()).toEqual([[why, 0]])
  })

  test('a store that asks for a long pause, refuses, or is missing, is not asked for ever', async () => {
    s3.next({ status: 429, headers: { 'retry-after': '3600' } })
    expect((await failureOf(open().get('a'))).kind).toBe('too_many')
    expect(await recorded()).toEqual([['too many requests (429)', 1]])
    const refused = await failureOf(open({ secretAccessKey: 'a wrong secret' }).put('e.pdf', bytes))
    expect([refused.kind, s3.objects.size, s3.requests.length]).toEqual(['unauthorized', 0, 2])
    await s3.stop()
    const gone = await failureOf(open().put('e.pdf', bytes))
    expect([gone.kind, gone.isEffectUnknown]).toEqual(['refused_connection', false])
    expect(await recorded()).toEqual([['no connection', 5]])
  })

  test('a store that never answers is given up after three tries', async () => {
    s3.next('hang', 'hang', 'hang')
    expect((await failureOf(open({ timeoutMs: 1_500 }).get('a.pdf'))).kind).toBe('no_answer')
    expect(s3.requests).toHaveLength(3)
    expect(await recorded()).toEqual([['no answer in time', 3]])
  })

  test.each(['a.pdf', 'list.csv', 'no-end', '-_..x.tar.GZ', `${'x'.repeat(196)}.pdf`])(
    'the store serves %s by a signed link, complete, under its name and type',
    async (name) => {
      const store = open()
      await store.put(name, bytes)
      const address = (await store.linkTo?.(name)) ?? 'missing:'
      expect(new URL(address).hostname).toBe('localhost')
      const answer = await fetch(address)
      expect(Buffer.from(await answer.arrayBuffer())).toEqual(bytes)
      expect(answer.headers.get('content-disposition')).toBe(`attachment; filename="${name}"`)
      expect(answer.headers.get('content-type')).toBe(handingOut(name).type)
      for (const [from, to] of [
        [name, 'b.pdf'],
        ['attachment', 'inline'],
        ['Expires=120', 'Expires=3600'],
      ] as const)
        expect([from, (await fetch(address.replace(from, to))).status]).toEqual([from, 403])
      // A link counts whole seconds, and one more may have begun.
      s3.later(118)
      expect((await fetch(address)).status).toBe(200)
      s3.later(121)
      expect((await fetch(address)).status).toBe(403)
    },
  )

  test('there is no link to a missing file, nor to a store that people cannot reach', async () => {
    expect(await open().linkTo?.('a.pdf')).toBeUndefined()
    expect(open({ publicEndpoint: undefined }).linkTo).toBeUndefined()
    await s3.stop()
    expect((await failureOf(open().linkTo?.('a.pdf') ?? Promise.resolve())).kind).toBe('refused_connection')
  })
})
