/**
 * Where to ask for an address that the server gave, such as `next_url`: http becomes https only where the API itself
 * is https (GAP-30), and the API's own host is asked under the name that this page knows it by.
 */
export function ownAddress(given: string, apiBase: string, page: string): string {
  const base = new URL(apiBase || '/', page)
  const address = new URL(given, base)
  if (address.host === base.host) return `${apiBase && base.origin}${address.pathname}${address.search}`
  if (base.protocol === 'https:') address.protocol = 'https:'
  return address.href
}
