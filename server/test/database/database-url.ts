import type { DatabaseAddress } from '../../src/platform/db/database.ts'

/** As DATABASE_URL wants it, for a server that is a process of its own. */
export function urlOf({ url, host = '', port, user = '', password, database = '' }: DatabaseAddress): string {
  if (url !== undefined) return Object.assign(new URL(url), { pathname: `/${database}` }).href
  const at = new URLSearchParams({ host, port: String(port), user, ...(password ? { password } : {}) })
  return `postgres:///${database}?${at.toString()}`
}
