import { openWire, type Wire } from './wire.ts'

export interface SlowWire extends Wire {
  /** Resolves when a client has sent these bytes. They and all later bytes wait until `letGo`. */
  held: Promise<void>
  letGo(): void
}

const usualLimit = 'statement_timeout=15000'

/**
 * A connection to the tests' PostgreSQL with a short usual limit for statements. It holds back everything from a given
 * text on, and changes nothing else.
 */
export async function openSlowWire({
  limitMs,
  holdAt,
}: {
  limitMs: number
  holdAt: string
}): Promise<SlowWire> {
  const { promise: held, resolve: isHeld } = Promise.withResolvers<void>()
  const { promise: released, resolve: letGo } = Promise.withResolvers<void>()
  const short = `statement_timeout=${String(limitMs).padStart(5, '0')}`
  const wire = await openWire((near, far) => {
    let isStarted = false
    near.on('data', (chunk: Buffer) => {
      const bytes = isStarted
        ? chunk
        : Buffer.from(chunk.toString('latin1').replace(usualLimit, short), 'latin1')
      isStarted = true
      if (!bytes.includes(holdAt)) return void far.write(bytes)
      near.pause()
      isHeld()
      void released.then(() => {
        far.write(bytes)
        near.resume()
      })
    })
    far.on('data', (chunk) => near.write(chunk))
  })
  return { ...wire, held, letGo }
}
