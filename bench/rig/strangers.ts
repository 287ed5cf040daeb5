import { performance } from 'node:perf_hooks'
import { servesApart } from './apart.ts'

const basic = `Basic ${Buffer.from('dashboard:dashboard').toString('base64')}`
export const password = 'cellarhand-demo'

export const from = (network: string) => ({
  'content-type': 'application/json',
  authorization: basic,
  'x-forwarded-for': network,
})

export interface Answered {
  readonly status: number
  readonly ms: number
}

export async function trySignIn(origin: string, network: string, email: string): Promise<Answered> {
  const sent = performance.now()
  const reply = await fetch(`${origin}/a/v2/sessions`, {
    method: 'POST',
    headers: from(network),
    body: JSON.stringify({ email, password }),
  })
  await reply.arrayBuffer()
  return { status: reply.status, ms: performance.now() - sent }
}

interface Strangers {
  readonly origin: string
  readonly strangers: number
  readonly network: string
}

/** Each tries again as soon as the last try was answered. */
await servesApart<Strangers>(async ({ origin, strangers, network }, stop) => {
  const counts = new Map<number, number>()
  await Promise.all(
    Array.from({ length: strangers }, async (_, index) => {
      for (let count = 0; !stop.aborted; count++) {
        const { status } = await trySignIn(origin, network, `invented-${index}-${count}@example.test`)
        counts.set(status, (counts.get(status) ?? 0) + 1)
      }
    }),
  )
  return JSON.stringify(Object.fromEntries(counts))
})
