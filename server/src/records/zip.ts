import { pipeline } from 'node:stream/promises'
import { crc32, createDeflateRaw } from 'node:zlib'

/** Takes the archive's bytes, one piece after another. */
export type Sink = (bytes: Uint8Array) => Promise<void>

export interface Zip {
  /** One file, packed while its pieces come, so that no file is ever whole in memory. */
  add(name: string, pieces: AsyncIterable<Uint8Array>): Promise<void>
  /** Writes the list of the files. Without it, no program opens the archive. */
  end(): Promise<void>
}

/** The form without 64-bit fields, which every program reads. */
const bytesAtMost = 0xffff_fffe
const version = 20
/** Sizes come behind the file's bytes, and names are UTF-8. */
const flags = 0x08_08
const deflated = 8
/** The next piece is made while one is packed, and a packed piece is no trip to another thread for each 16 kB. */
const packing = { writableHighWaterMark: 2_000_000, chunkSize: 256_000 }

interface Entry {
  readonly name: Buffer
  readonly offset: number
  readonly crc: number
  readonly packed: number
  readonly size: number
}

/** As APPNOTE.TXT of PKWARE describes it. */
export function createZip(sink: Sink, madeAt: Date): Zip {
  const entries: Entry[] = []
  let written = 0
  const write = async (bytes: Uint8Array) => {
    written += bytes.length
    if (written > bytesAtMost)
      throw new Error('The file would be larger than 4 GB. Please ask for fewer days.')
    await sink(bytes)
  }
  const stamp = dosTime(madeAt)
  return {
    async add(name, pieces) {
      const entry = { name: Buffer.from(name), offset: written, crc: 0, packed: 0, size: 0 }
      await write(Buffer.concat([localHead(entry.name, stamp), entry.name]))
      const begin = written
      await pipeline(
        async function* () {
          for await (const piece of pieces) {
            entry.crc = crc32(piece, entry.crc)
            entry.size += piece.length
            yield piece
          }
        },
        createDeflateRaw({ level: 1, ...packing }),
        async (packed: AsyncIterable<Uint8Array>) => {
          for await (const piece of packed) await write(piece)
        },
      )
      if (entry.size > bytesAtMost) throw new Error(`${name} is larger than 4 GB. Please ask for fewer days.`)
      entry.packed = written - begin
      entries.push(entry)
      await write(uint32s(0x0807_4b50, entry.crc, entry.packed, entry.size))
    },
    async end() {
      const begin = written
      for (const entry of entries) await write(Buffer.concat([centralHead(entry, stamp), entry.name]))
      await write(endOf(entries.length, { begin, length: written - begin }))
    },
  }
}

function uint32s(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4)
  for (const [index, value] of values.entries()) bytes.writeUInt32LE(value, index * 4)
  return bytes
}

function uint16s(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 2)
  for (const [index, value] of values.entries()) bytes.writeUInt16LE(value, index * 2)
  return bytes
}

function localHead(name: Buffer, stamp: readonly [time: number, day: number]): Buffer {
  return Buffer.concat([
    uint32s(0x0403_4b50),
    uint16s(version, flags, deflated, ...stamp),
    uint32s(0, 0, 0),
    uint16s(name.length, 0),
  ])
}

function centralHead(
  { name, crc, packed, size, offset }: Entry,
  stamp: readonly [time: number, day: number],
): Buffer {
  return Buffer.concat([
    uint32s(0x0201_4b50),
    uint16s(version, version, flags, deflated, ...stamp),
    uint32s(crc, packed, size),
    uint16s(name.length, 0, 0, 0, 0),
    uint32s(0, offset),
  ])
}

function endOf(count: number, { begin, length }: { begin: number; length: number }): Buffer {
  return Buffer.concat([
    uint32s(0x0605_4b50),
    uint16s(0, 0, count, count),
    uint32s(length, begin),
    uint16s(0),
  ])
}

/** Two seconds are its smallest step. */
function dosTime(at: Date): [time: number, day: number] {
  return [
    (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1),
    ((at.getUTCFullYear() - 1980) << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate(),
  ]
}
