import type { IncomingMessage } from 'node:http'
import { BlockList, isIP } from 'node:net'

export const requestIdHeader = 'x-request-id'
/** Fits into a log line, an address and a header as it is. */
const wellFormed = /^[A-Za-z0-9._~=-]{1,128}$/

/** The names that Fastify takes for ranges of addresses, with what it means by them. */
const namedRanges: Readonly<Record<string, readonly string[]>> = {
  loopback: ['127.0.0.1/8', '::1/128'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
}

/**
 * The id of a request, in its log lines and in its answer. A trusted proxy may give it, so that both logs name the same
 * one. A stranger may not, who could give a thousand requests one id.
 */
export function createRequestIds(trusted: readonly string[]): (request: IncomingMessage) => string {
  const proxies = listOf(trusted)
  return ({ headers, socket }) => {
    const given = headers[requestIdHeader]
    const isTaken =
      typeof given === 'string' && wellFormed.test(given) && holds(proxies, socket.remoteAddress)
    return isTaken ? given : crypto.randomUUID()
  }
}

function listOf(trusted: readonly string[]): BlockList {
  const list = new BlockList()
  for (const range of trusted.flatMap((name) => namedRanges[name] ?? [name])) {
    const [address = '', bits] = range.split('/')
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    if (bits === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(bits), family)
  }
  return list
}

function holds(list: BlockList, address: string | undefined): boolean {
  const family = isIP(address ?? '')
  return address !== undefined && family !== 0 && list.check(address, family === 6 ? 'ipv6' : 'ipv4')
}
