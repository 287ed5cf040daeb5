import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'

/**
 * Notes each text that the server prepares, a file each, while the whole suite runs on the embedded PostgreSQL.
 * `every-statement.system.ts` prepares them on another version.
 */
const folder = process.env['STATEMENTS_TO']
/** The files of a worker share its driver, which is changed once. */
const isChanged = Symbol.for('cellarhand.note-statements')
const driver = pg.Client.prototype as unknown as Record<symbol, boolean> & {
  query: (...args: unknown[]) => unknown
}

if (folder !== undefined && !driver[isChanged]) {
  driver[isChanged] = true
  const known = new Set<string>()
  const { query } = driver
  driver.query = function noted(...args) {
    const [asked] = args
    const { name, text } = Object(asked) as { name?: string; text?: string }
    // Statements of the tests themselves have no name.
    if (name !== undefined && text !== undefined && !known.has(text)) {
      known.add(text)
      writeFileSync(join(folder, `${createHash('sha1').update(text).digest('hex')}.sql`), text)
    }
    return query.apply(this, args)
  }
}
