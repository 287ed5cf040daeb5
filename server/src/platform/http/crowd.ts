import type { RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Browsers and proxies send the next request of a connection after the answer to the one before. */
const requestsOfConnection = 10

interface Room {
  readonly of: string
  readonly most: number
}

/** Counts answers under way. False where one of the rooms is full; else the answer stays in all of them until it is over. */
export type Join = (answer: ServerResponse, rooms: readonly Room[]) => boolean

export function createCrowd(): Join {
  const sizes = new Map<string, number>()
  return (answer, rooms) => {
    if (rooms.some(({ of, most }) => (sizes.get(of) ?? 0) >= most)) return false
    // No event tells of a caller who has hung up already.
    if (answer.destroyed) return true
    for (const { of } of rooms) sizes.set(of, (sizes.get(of) ?? 0) + 1)
    answer.once('close', () => {
      for (const { of } of rooms) {
        const left = (sizes.get(of) ?? 0) - 1
        if (left > 0) sizes.set(of, left)
        else sizes.delete(of)
      }
    })
    return true
  }
}

/**
 * Node begins every request that arrives on a connection, and keeps each answer until those before it are read. One
 * packet holds hundreds of requests, and a stranger with twenty connections took five gigabytes in a minute. It stands
 * before the framework, which answers an unreadable address past every hook, and takes long for the rest of a
 * packet after the cut.
 */
export function onlyFewAhead(answerRequest: RequestListener): RequestListener {
  const underWay = new WeakMap<Socket, number>()
  return (request, answer) => {
    const { socket, headers, httpVersion } = request
    if (socket.destroyed) return
    const count = (underWay.get(socket) ?? 0) + 1
    underWay.set(socket, count)
    answer.once('close', () => underWay.set(socket, (underWay.get(socket) ?? 1) - 1))
    if (count > requestsOfConnection) socket.destroy()
    else if (headers.host === undefined && httpVersion === '1.1')
      answer
        .writeHead(400, { connection: 'close', 'content-type': 'text/plain' })
        .end('The request names no server. Please send the header Host.')
    else answerRequest(request, answer)
  }
}
