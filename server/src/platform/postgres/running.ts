import fs from 'node:fs'
import path from 'node:path'
import { chooseAccount } from './account.ts'
import { hasDatabase, placeDataDir, SUPERUSER } from './data-directory.ts'
import { readPidFile } from './leftover.ts'
import { findProcess } from './processes.ts'

export interface RunningPostgres {
  readonly host: string
  readonly port: number
  readonly user: string
  readonly password?: string
}

/** The address of the server that another process started on `dataDir`; else whether there is a database at all. */
export async function findPostgres(dataDir: string): Promise<RunningPostgres | 'stopped' | 'none'> {
  const wanted = path.resolve(dataDir)
  const placed = await placeDataDir(wanted, await chooseAccount(wanted))
  if (!hasDatabase(placed)) return 'none'
  const [pid, , , port, socketDir, , , status] = readPidFile(placed)
  const found = findProcess(Number(pid))
  if (found === undefined || !isOurs(found.args) || status?.startsWith('ready') !== true) return 'stopped'
  const address = { port: Number(port), user: SUPERUSER }
  if (socketDir) return { ...address, host: socketDir }
  return {
    ...address,
    host: '127.0.0.1',
    password: fs.readFileSync(`${placed}.password`, 'utf8').trim(),
  }
}

/** After a crash, the number in the file may belong to any process. Windows shows no arguments, so there it counts. */
function isOurs(args: readonly string[]): boolean {
  return process.platform === 'win32' || args.join(' ').includes('cluster_name=cellarhand')
}
