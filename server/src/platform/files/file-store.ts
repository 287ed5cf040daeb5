/** Where files are kept that the server made: the port, with a disk and S3 behind it. */
export interface FileStore {
  /** There afterwards, whole; a file of the same name is replaced. */
  put(name: string, bytes: Uint8Array): Promise<void>
  /** Undefined when there is none. Fails when the file is not what was put there. */
  get(name: string): Promise<Buffer | undefined>
  /** Harmless when there is none. */
  remove(name: string): Promise<void>
  /** A short-lived address at which the store itself hands the file out. Absent where people cannot reach the store. */
  readonly linkTo?: ((name: string) => Promise<string | undefined>) | undefined
  /** Fails when nothing can be put. Absent where the store is elsewhere: its failures are on record as a provider's. */
  readonly probe?: () => Promise<void>
  /** Drafts of killed processes too. Absent where the store does this by a rule of its own. */
  readonly removeOlderThan?: (moment: Date) => Promise<void>
}

/** The file is there, but its bytes are not those that were kept. */
export class FileDamaged extends Error {
  constructor(name: string) {
    super(`The file ${name} is damaged: its checksum is not the one that it was kept with.`)
  }
}

const names = /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,199}$/

/** File names are ours; this stands between a mistake of ours and a path outside the store. */
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

/** With what a browser keeps the file, whoever hands it out. */
export function handingOut(name: string): { type: string; disposition: string } {
  return {
    type: mediaTypes[name.slice(name.lastIndexOf('.') + 1)] ?? 'application/octet-stream',
    disposition: `attachment; filename="${name}"`,
  }
}
