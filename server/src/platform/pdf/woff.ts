import { inflateSync } from 'node:zlib'

const signature = 0x774f4646
const woff = { header: 44, entry: 20 }
const sfnt = { header: 12, entry: 16 }

/**
 * A WOFF file is a font with compressed tables. The font library inflates a table in JavaScript on every look, which
 * took seconds for large fonts; Node inflates all of them once, in milliseconds.
 */
export function toPlainFont(file: Buffer): Buffer {
  if (file.readUInt32BE(0) !== signature) return file
  const count = file.readUInt16BE(12)
  const head = Buffer.alloc(sfnt.header + count * sfnt.entry)
  head.writeUInt32BE(file.readUInt32BE(4), 0)
  head.writeUInt16BE(count, 4)
  const power = Math.floor(Math.log2(count))
  head.writeUInt16BE(2 ** power * sfnt.entry, 6)
  head.writeUInt16BE(power, 8)
  head.writeUInt16BE(count * sfnt.entry - 2 ** power * sfnt.entry, 10)
  const parts: Buffer[] = [head]
  let offset = head.length
  for (let table = 0; table < count; table++) {
    const from = woff.header + table * woff.entry
    const to = sfnt.header + table * sfnt.entry
    const [start, packed, length] = [4, 8, 12].map((at) => file.readUInt32BE(from + at)) as [
      number,
      number,
      number,
    ]
    const bytes = file.subarray(start, start + packed)
    const padded = Buffer.alloc((length + 3) & ~3)
    padded.set(packed < length ? inflateSync(bytes) : bytes)
    file.copy(head, to, from, from + 4)
    head.writeUInt32BE(file.readUInt32BE(from + 16), to + 4)
    head.writeUInt32BE(offset, to + 8)
    head.writeUInt32BE(length, to + 12)
    parts.push(padded)
    offset += padded.length
  }
  return Buffer.concat(parts)
}
