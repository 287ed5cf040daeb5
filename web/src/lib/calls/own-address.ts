/**
 * The address to call for one that the server gave, such as `next_url`. http becomes https only if the API itself uses
 * https (GAP-30), and the API's own host gets the name by which this page knows it.
 */
export function ownAddress(given: string, apiBase: string, page: string): string {
  const base = new URL(apiBase || '/', page)
  const address = new URL(given, base)
  if (address.host === base.host) return `${apiBase && base.origin}${address.pathname}${address.search}`
  if (base.protocol === 'https:') address.protocol = 'https:'
  return address.href
}
