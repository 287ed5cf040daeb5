import { crc32, inflateRawSync } from 'node:zlib'

/** The files of an archive, by the list at its end, as any program reads it. */
export function unzip(bytes: Buffer): Record<string, Buffer> {
  const end = bytes.lastIndexOf(Buffer.from([0x50, 0x4b, 5, 6]))
  if (end === -1) throw new Error('The archive has no list of its files')
  const files: Record<string, Buffer> = {}
  let at = bytes.readUInt32LE(end + 16)
  for (let count = bytes.readUInt16LE(end + 10); count > 0; count--) {
    if (bytes.readUInt32LE(at) !== 0x0201_4b50) throw new Error('The list of the archive is broken')
    const [crc, packed, size] = [16, 20, 24].map((place) => bytes.readUInt32LE(at + place))
    const nameLength = bytes.readUInt16LE(at + 28)
    const name = bytes.toString('utf8', at + 46, at + 46 + nameLength)
    const local = bytes.readUInt32LE(at + 42)
    const begin = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28)
    const file = inflateRawSync(bytes.subarray(begin, begin + (packed ?? 0)))
    if (file.length !== size || crc32(file) !== crc) throw new Error(`${name} is damaged`)
    files[name] = file
    at += 46 + nameLength + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32)
  }
  return files
}
