import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Transform } from 'node:stream'
import { tableFile, type Manifest } from './manifest.ts'

/** The output for an operator who waits for a restore. */
export interface Progress {
  /** Announces the next part of the work. */
  begin(what: string): void
  /** Reports progress now and then. */
  note(how: string): void
  /** Passes on the bytes of a backup's file, and reports their number. */
  counting(table: string): Transform
}

const everyMs = 2_000

export async function createProgress(
  folder: string,
  { tables }: Manifest,
  say: (line: string) => void,
): Promise<Progress> {
  const sizes = await Promise.all(
    tables.map(async ({ name }) => (await stat(join(folder, tableFile(name)))).size),
  )
  const total = sizes.reduce((sum, size) => sum + size, 0)
  let part = ''
  let saidAt = 0
  let done = 0
  const tell = (line: string) => {
    saidAt = performance.now()
    say(line)
  }
  const note = (how: string) => {
    if (performance.now() - saidAt >= everyMs) tell(`${part}: ${how}`)
  }
  return {
    begin(what) {
      part = what
      tell(what)
    },
    note,
    counting: (table) =>
      new Transform({
        transform(chunk: Buffer, _encoding, pass) {
          done += chunk.length
          note(`${Math.floor((100 * done) / total)} % (${table})`)
          pass(null, chunk)
        },
      }),
  }
}
