import { isDatabaseAway, sqlState } from './db/database-errors.ts'
import { HalfRestored } from './db/restore-mark.ts'
import { explainFileTrouble } from './files/file-trouble.ts'
import { plainWords } from './outside/plain-words.ts'
import { PostgresStartError } from './postgres/start-error.ts'
import { ConfigError } from './settings/setting.ts'

const sentences: Readonly<Record<string, string>> = {
  EADDRINUSE: 'The port is taken. Stop what listens there, or choose another one with PORT.',
  EACCES: 'The port may not be opened by this user. Choose one above 1023 with PORT.',
  EADDRNOTAVAIL: 'HOST is not an address of this machine.',
  ENOTFOUND: 'The host in DATABASE_URL is not known. Check its name.',
  ENOENT: 'The socket in DATABASE_URL is not there. Start the database, or check the path.',
  ECONNREFUSED: 'No database answers at DATABASE_URL. Start it, or check host and port.',
  ETIMEDOUT: 'The database at DATABASE_URL does not answer. Check host, port and firewall.',
  '28P01': 'The database refused the password in DATABASE_URL.',
  '28000': 'The database refused the user in DATABASE_URL.',
  '3D000': 'The database named in DATABASE_URL does not exist. Create it first.',
  '42501':
    'The user in DATABASE_URL may not do what the migrations need. Let an administrator run once: ' +
    'create role cellarhand_app nologin; create role cellarhand_system nologin; ' +
    'grant cellarhand_app, cellarhand_system to <user>; create extension pg_trgm; and give the user the database.',
}

const longestWords = 300

/** With the database's own words: a proxy has one code for what ends by itself and for what never does. */
function notReady({ message }: Error): string {
  return (
    `The database at DATABASE_URL is not ready: ${plainWords(message, longestWords)}. If it is starting or full, or ` +
    'the proxy before it has no primary, start again once that is over; systemd does so by itself.'
  )
}

const socketRefused = 'This user may not open the socket in DATABASE_URL. Check its folder and group.'

function sentenceOf(cause: Error): string | undefined {
  const { code, syscall } = cause as NodeJS.ErrnoException
  // The same code as that of a port below 1024, which is listened on and not connected to.
  if (code === 'EACCES' && syscall === 'connect') return socketRefused
  const known = explainFileTrouble(cause) ?? sentences[sqlState(cause) ?? '']
  return known ?? (isDatabaseAway(cause) ? notReady(cause) : undefined)
}

/** Advice for a failed start; undefined for a failure that nobody foresaw. */
export function explainStartFailure(error: unknown): string | undefined {
  if (error instanceof HalfRestored) return `Cellarhand could not start. ${error.message}`
  if (error instanceof ConfigError || error instanceof PostgresStartError) return error.message
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const sentence = sentenceOf(cause)
    if (sentence !== undefined) return `Cellarhand could not start. ${sentence}`
  }
  return undefined
}
