/** A failed start that the person at the keyboard can fix; the message says how. */
export class PostgresStartError extends Error {
  override name = 'PostgresStartError'
}

const REASONS: [RegExp, (dir: string, text: string) => string][] = [
  [
    /no space left on device|check free disk space|disk quota exceeded|ENOSPC|EDQUOT/i,
    (dir) =>
      `The disk that holds ${dir} is full. Free at least 200 MB on it (or set DATA_DIR to a folder on another disk) ` +
      'and start again; nothing that was saved is lost.',
  ],
  [
    /read-only file system|EROFS/i,
    (dir) =>
      `${dir} lies on a read-only file system. Mount it writable, or set DATA_DIR to a folder that can be written, and start again.`,
  ],
  [
    /has invalid permissions/i,
    (dir) => `${dir} is open to other users, which PostgreSQL refuses. Run: chmod 700 ${dir}`,
  ],
  [
    /pre-existing shared memory block|lock file "postmaster.pid" already exists|is another postmaster/i,
    (dir) =>
      `The database in ${dir} is in use by another PostgreSQL. Stop that one first, or set DATABASE_URL so that ` +
      'several processes share one PostgreSQL.',
  ],
  [
    /permission denied|operation not permitted|wrong ownership|EACCES|EPERM/i,
    (dir) =>
      `${dir} cannot be written by the user this runs as. Give it to that user (chown -R), or set DATA_DIR to a folder ` +
      'that can be written, and start again.',
  ],
  [
    /could not look up effective user/i,
    () =>
      'The user this runs as has no entry in /etc/passwd, which PostgreSQL needs to set a database up. ' +
      'Add one, run as another user, or set DATABASE_URL.',
  ],
  [
    /error while loading shared libraries|GLIBC_|not found \(required by|(initdb|postgres)(\.exe)? ENOENT/i,
    (_dir, text) =>
      'The PostgreSQL that npm brought does not run on this system (it needs glibc 2.27 or newer and libstdc++; Alpine has ' +
      `neither). Set DATABASE_URL to a PostgreSQL of your own, from version 15 on. It said: ${lastLines(text)}`,
  ],
  [
    /memory segment|anonymous shared memory|Cannot allocate memory/i,
    (_dir, text) =>
      `There is too little memory for PostgreSQL (it takes about 300 MB). Free some, or set DATABASE_URL. It said: ${lastLines(text)}`,
  ],
]

/** Turns PostgreSQL's or the file system's words about `dir` into the sentence to show. */
export function explainStartFailure(said: unknown, dir: string): PostgresStartError {
  if (said instanceof PostgresStartError) return said
  const text = said instanceof Error ? said.message : String(said)
  const sentence =
    REASONS.find(([pattern]) => pattern.test(text))?.[1](dir, text) ??
    `PostgreSQL did not start on ${dir}. It said: ${lastLines(text) || 'nothing'}`
  return new PostgresStartError(sentence, { cause: said })
}

function lastLines(text: string): string {
  return text.trim().split('\n').slice(-6).join('\n')
}
