/** The error of a change on a standby. */
export const readOnly = '25006'

/** Marks the errors of the database's connections: Node gives the same codes to any socket that breaks. */
const fromDatabase = Symbol('from the database')

/** Whether a call of `Database` failed in the database or on the way to it, and not in the code that called. */
export function isOfDatabase(error: unknown): boolean {
  return error instanceof Error && fromDatabase in error
}

/** Marks an error as one of the database. */
export function ofDatabase(error: unknown): unknown {
  return error instanceof Error ? Object.assign(error, { [fromDatabase]: true }) : error
}

/** The answer of the database itself, its error marked as such. */
export async function ofItself<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer
  } catch (error) {
    throw ofDatabase(error)
  }
}

/** PostgreSQL's five-character error code, when the error came from PostgreSQL. */
export function sqlState(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}

/** Whether a call of `Database` failed because the database is away. Another connection that broke does not count. */
export function hasLostDatabase(error: unknown): boolean {
  return isOfDatabase(error) && isDatabaseAway(error)
}

/** Whether a row was refused because another one has the same key already. */
export function isDuplicateKey(error: unknown): boolean {
  return sqlState(error) === '23505'
}

/** Whether a statement named a table that is not there. */
export function isTableMissing(error: unknown): boolean {
  return sqlState(error) === '42P01'
}

/** Whether somebody else held the same rows for longer than anybody waits. */
export function isLockedElsewhere(error: unknown): boolean {
  return sqlState(error) === '55P03'
}

/**
 * Whether the database is away, starting, stopping, overloaded or read-only, as opposed to refusing what was asked. A
 * missing file has the code of a missing socket, and a closed pipe that of a closed connection.
 */
export function isDatabaseAway(error: unknown): boolean {
  const state = sqlState(error)
  if (state === 'ENOENT') return (error as NodeJS.ErrnoException).syscall === 'connect'
  if (state === 'EPIPE') return isOfDatabase(error)
  if (state !== undefined) {
    return /^(08...|25006|28...|3D000|57014|57P0[123]|53[123]00|ECONNREFUSED|ECONNRESET|ETIMEDOUT)$/.test(
      state,
    )
  }
  return (
    error instanceof Error &&
    /timeout exceeded when trying to connect|Connection terminated|connection error and is not queryable/.test(
      error.message,
    )
  )
}
