/** An owner of one IPv6 address has its whole /64 (18 quintillion addresses), so the /64 counts as one. */
export function networkOf(address: string | undefined): string {
  return firstGroups(address, 4)
}

/** What one customer of a provider gets at most: of IPv6 a /48, in which there are 65,536 networks. */
export function siteOf(address: string | undefined): string {
  return firstGroups(address, 3)
}

/** A caller who was gone before anybody asked for the address has none, though the framework's type says otherwise. */
function firstGroups(address: string | undefined, count: number): string {
  if (address === undefined) return 'gone'
  if (!address.includes(':') || address.includes('.')) return address
  const [head = '', tail] = address.split('::')
  const first = head === '' ? [] : head.split(':')
  const last = tail === undefined || tail === '' ? [] : tail.split(':')
  const groups = [...first, ...Array.from({ length: 8 - first.length - last.length }, () => '0'), ...last]
  return groups.slice(0, count).join(':')
}
