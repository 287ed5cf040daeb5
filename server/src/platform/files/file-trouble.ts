const ofFiles =
  /^(EACCES|EDQUOT|EFBIG|EIO|EISDIR|ELOOP|EMFILE|ENAMETOOLONG|ENFILE|ENOENT|ENOSPC|ENOTDIR|EPERM|EROFS)$/

/** For a full disk, a missing right or a wrong path. A connection's errors have some of the same codes. */
export function explainFileTrouble(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  const { code = '', syscall, message } = error as NodeJS.ErrnoException
  if (!ofFiles.test(code) || syscall === 'connect') return undefined
  return `A file or folder cannot be read or written: ${message}. When the cause is out of the way, run the same command again.`
}
