import { isIP } from 'node:net'

type Range = readonly [network: string, bits: number]

/** The ranges that IANA's special-purpose registry excludes from the public Internet. */
const notPublicV4: readonly Range[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
]

/** Inside global unicast: protocol assignments with Teredo, documentation, and 6to4, which wraps any IPv4 address. */
const notPublicV6: readonly Range[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
]
/** Everything outside is private, local, multicast, mapped or translated from IPv4, or unassigned. */
const globalUnicast: Range = ['2000::', 3]

/** Whether any host on the Internet could have this address. */
export function isPublicAddress(address: string): boolean {
  const bits = bitsOf(address)
  if (bits === undefined) return false
  const isIn = (range: Range) => bits.startsWith(bitsOf(range[0])?.slice(0, range[1]) ?? '-')
  if (bits.length === 32) return !notPublicV4.some(isIn)
  return isIn(globalUnicast) && !notPublicV6.some(isIn)
}

export function isLoopbackAddress(address: string): boolean {
  return address === '::1' || (isIP(address) === 4 && address.startsWith('127.'))
}

type CheckedAddress = { url: URL; problem?: undefined } | { url?: undefined; problem: string }

const loopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/

/** Accepts only public https addresses. `postGuarded` checks again to which addresses the name resolves. */
export function publicAddressOf(text: string, allowLoopback: boolean): CheckedAddress {
  if (!URL.canParse(text)) return { problem: 'Please give an absolute https address' }
  const url = new URL(text)
  if (url.username !== '' || url.password !== '')
    return { problem: 'The address must not carry a user name or password' }
  if (loopback.test(url.hostname)) {
    const isAllowed = allowLoopback && ['http:', 'https:'].includes(url.protocol)
    return isAllowed ? { url } : { problem: 'The address must be public' }
  }
  if (url.protocol !== 'https:') return { problem: 'The address must start with https://' }
  const literal = url.hostname.replaceAll(/[[\]]/g, '')
  if (isIP(literal) !== 0 && !isPublicAddress(literal)) return { problem: 'The address must be public' }
  return { url }
}

/** The address as ones and zeros; undefined if it is no address, or belongs to one link only ("fe80::1%eth0"). */
function bitsOf(address: string): string | undefined {
  const version = isIP(address)
  if (version === 0 || address.includes('%')) return undefined
  if (version === 4)
    return address
      .split('.')
      .map((part) => binary(Number(part), 8))
      .join('')
  const [head = '', tail] = withoutDots(address).split('::')
  const groups = (text: string) => (text === '' ? [] : text.split(':'))
  const left = groups(head)
  const right = groups(tail ?? '')
  const gap = tail === undefined ? 0 : 8 - left.length - right.length
  const all = [...left, ...Array<string>(gap).fill('0'), ...right]
  return all.map((group) => binary(Number.parseInt(group, 16), 16)).join('')
}

function binary(value: number, width: number): string {
  return value.toString(2).padStart(width, '0')
}

/** Replaces the IPv4 ending of an IPv6 address by two groups. */
function withoutDots(address: string): string {
  const ending = address.lastIndexOf(':') + 1
  const parts = address.slice(ending).split('.').map(Number)
  if (parts.length !== 4) return address
  const [a = 0, b = 0, c = 0, d = 0] = parts
  return `${address.slice(0, ending)}${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`
}
