import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'

/** With `setpriv` of util-linux 2.33, Linux ends a process together with the one that started it (prctl(2), PR_SET_PDEATHSIG). */
export const withServer = ['--pdeathsig', 'KILL']

/** Whether the system can end a process of ours together with the server. */
export async function canEndWithServer(): Promise<boolean> {
  if (process.platform !== 'linux' || (await hasPrivileges())) return false
  return promisify(execFile)('setpriv', [...withServer, 'true'], { timeout: 1_000 }).then(
    () => true,
    () => false,
  )
}

/** Linux forgets the wish of a program whose file brings privileges, such as a Node that may listen at port 80. */
async function hasPrivileges(): Promise<boolean> {
  const status = await readFile('/proc/self/status', 'utf8')
  return process.getuid?.() !== 0 && !/^CapPrm:\s*0+$/m.test(status)
}
