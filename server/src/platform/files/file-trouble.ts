const ofFiles =
  /^(EACCES|EDQUOT|EEXIST|EFBIG|EIO|EISDIR|ELOOP|EMFILE|ENAMETOOLONG|ENFILE|ENOENT|ENOSPC|ENOTDIR|EPERM|EROFS)$/

/** The errors of a connection or a port have some of the same codes. */
const ofSockets = new Set(['accept', 'bind', 'connect', 'listen'])

/** For a full disk, a missing right or a wrong path. */
export function explainFileTrouble(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  const { code = '', syscall, message } = error as NodeJS.ErrnoException
  if (!ofFiles.test(code) || ofSockets.has(syscall ?? '')) return undefined
  return `A file or folder cannot be read or written: ${message}. When the cause is out of the way, run the same command again.`
}
