import type { DatabaseAddress } from '../../src/platform/db/database.ts'

/** The address as DATABASE_URL, for a server in a process of its own. */
export function urlOf({ url, host = '', port, user = '', password, database = '' }: DatabaseAddress): string {
  if (url !== undefined) return Object.assign(new URL(url), { pathname: `/${database}` }).href
  const at = new URLSearchParams({ host, port: String(port), user, ...(password ? { password } : {}) })
  return `postgres:///${database}?${at.toString()}`
}
