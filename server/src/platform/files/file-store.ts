/** Stores the files that the server made: the port for a disk store and an S3 store. */
export interface FileStore {
  /** Afterwards the whole file is stored; it replaces a file of the same name. */
  put(name: string, bytes: Uint8Array): Promise<void>
  /** Undefined if there is no such file. Fails if its bytes have changed since `put`. */
  get(name: string): Promise<Buffer | undefined>
  /** Does nothing if there is no such file. */
  remove(name: string): Promise<void>
  /** A short-lived address at which the store itself serves the file. Absent if people cannot reach the store. */
  readonly linkTo?: ((name: string) => Promise<string | undefined>) | undefined
  /** Fails if the store cannot take files. Absent for a remote store: its failures are on record as a provider's. */
  readonly probe?: () => Promise<void>
  /** Includes the drafts of killed processes. Absent if the store does this by a rule of its own. */
  readonly removeOlderThan?: (moment: Date) => Promise<void>
}

/** The file exists, but its bytes have changed since it was stored. */
export class FileDamaged extends Error {
  constructor(name: string) {
    super(`The file ${name} is damaged: its checksum is not the one that it was kept with.`)
  }
}

const names = /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,199}$/

/** File names are our own. This check keeps a mistake of ours from reaching a path outside the store. */
export function checkedName(name: string): string {
  if (!names.test(name)) throw new Error(`"${name}" cannot be the name of a file.`)
  return name
}

const mediaTypes: Record<string, string> = {
  pdf: 'application/pdf',
  csv: 'text/csv; charset=utf-8',
  png: 'image/png',
  zpl: 'application/zpl',
}

/** The headers with which a browser saves the file, the same for every store. */
export function handingOut(name: string): { type: string; disposition: string } {
  return {
    type: mediaTypes[name.slice(name.lastIndexOf('.') + 1)] ?? 'application/octet-stream',
    disposition: `attachment; filename="${name}"`,
  }
}
