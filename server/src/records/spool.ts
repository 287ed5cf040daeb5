import { deflateRawSync, inflateRawSync } from 'node:zlib'

/** Packed within a millisecond or two, since requests wait meanwhile. */
const blockLength = 100_000

/** Keeps lines until it is their turn, packed: an archive takes one file after another. */
export interface Spool {
  add(line: string): void
  pieces(): AsyncGenerator<Uint8Array>
}

export function createSpool(): Spool {
  const blocks: Buffer[] = []
  let open = ''
  const pack = () => {
    blocks.push(deflateRawSync(open, { level: 1 }))
    open = ''
  }
  return {
    add(line) {
      open += line
      if (open.length > blockLength) pack()
    },
    async *pieces() {
      for (const block of blocks) yield inflateRawSync(block)
      yield Buffer.from(open)
    },
  }
}
