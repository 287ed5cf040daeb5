import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { unzip } from '../../test/papers/unzip.ts'
import { createSpool } from './spool.ts'
import { createZip } from './zip.ts'

async function* inPieces(...pieces: Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* pieces
}

async function zipped(files: Record<string, Uint8Array[]>): Promise<Buffer> {
  const written: Uint8Array[] = []
  const zip = createZip(
    async (bytes) => void written.push(Buffer.from(bytes)),
    new Date('2026-11-23T12:00:00Z'),
  )
  for (const [name, pieces] of Object.entries(files)) await zip.add(name, inPieces(...pieces))
  await zip.end()
  return Buffer.concat(written)
}

test('files come out of the archive as they went in, also empty ones and those that cannot be packed', async () => {
  const noise = [randomBytes(70_000), randomBytes(1), randomBytes(200_000)]
  const files = unzip(await zipped({ 'sales.csv': noise, 'empty.csv': [], 'Zoë.txt': [Buffer.from('田中')] }))
  expect(Object.keys(files)).toEqual(['sales.csv', 'empty.csv', 'Zoë.txt'])
  expect(files['sales.csv']?.equals(Buffer.concat(noise))).toBe(true)
  expect([files['empty.csv']?.length, files['Zoë.txt']?.toString()]).toEqual([0, '田中'])
})

test('a failure of a file’s source or of the disk ends the work with its reason', async () => {
  const failing = async function* () {
    yield Buffer.from('a')
    throw new Error('The database is away')
  }
  await expect(createZip(async () => undefined, new Date()).add('x', failing())).rejects.toThrow(
    'The database is away',
  )
  const full = createZip(() => Promise.reject(new Error('The disk is full')), new Date())
  await expect(full.add('x', inPieces(Buffer.from('a')))).rejects.toThrow('The disk is full')
})

test('a spool gives its lines back in order, over many blocks', async () => {
  const spool = createSpool()
  const line = `${'é'.repeat(999)}\n`
  for (let count = 0; count < 2_500; count++) spool.add(line)
  let text = ''
  for await (const piece of spool.pieces()) text += Buffer.from(piece).toString()
  expect(text).toBe(line.repeat(2_500))
})
