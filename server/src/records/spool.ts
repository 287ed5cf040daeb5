import { deflateRawSync, inflateRawSync } from 'node:zlib'

const blockLength = 1_000_000

/** Keeps lines until it is their turn, packed: an archive takes one file after another. */
export interface Spool {
  add(line: string): void
  pieces(): AsyncGenerator<Uint8Array>
}

export function createSpool(): Spool {
  const blocks: Buffer[] = []
  let open = ''
  const pack = () => {
    blocks.push(deflateRawSync(open))
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
