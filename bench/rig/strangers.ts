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

const json = (network: string, body: object): RequestInit => ({
  method: 'POST',
  headers: from(network),
  body: JSON.stringify(body),
})

/** Calls that somebody without a session may make, each with an e-mail that nobody has. */
const tries = {
  'sign-in': (network: string, email: string) =>
    ['/a/v2/sessions', json(network, { email, password })] as const,
  reset: (network: string, email: string) =>
    ['/a/v2/accounts/password_token', json(network, { email })] as const,
  'sign-up': (network: string, email: string) =>
    [
      '/a/v2/users',
      json(network, { first_name: 'B', last_name: 'B', email, password, birthday: '1990-01-02' }),
    ] as const,
  link: (network: string) => ['/substitutes/x.y', { headers: from(network) }] as const,
}
/** The calls of a flood; `profile` is one member who saves a profile all the time. */
export const floods = [...Object.keys(tries), 'profile'] as Flood[]
export type Flood = keyof typeof tries | 'profile'

interface Strangers {
  readonly origin: string
  readonly strangers: number
  readonly network: string
  readonly flood: Flood
  /** Of the member, for `profile`. */
  readonly member?: { readonly id: string; readonly token: string }
}

function nextTry({ network, flood, member }: Strangers, email: string): readonly [string, RequestInit] {
  if (flood !== 'profile') return tries[flood](network, email)
  const request = json(network, { first_name: 'Ben' })
  const headers = { ...from(network), authorization: `Bearer ${member?.token}` }
  return [`/a/v2/users/${member?.id}`, { ...request, headers }]
}

/** Each tries again as soon as the last try was answered. */
await servesApart<Strangers>(async (crowd, stop) => {
  const counts = new Map<number, number>()
  await Promise.all(
    Array.from({ length: crowd.strangers }, async (_, index) => {
      for (let count = 0; !stop.aborted; count++) {
        const [path, request] = nextTry(crowd, `invented-${index}-${count}@example.test`)
        const reply = await fetch(new URL(path, crowd.origin), request)
        await reply.arrayBuffer()
        const { status } = reply
        counts.set(status, (counts.get(status) ?? 0) + 1)
      }
    }),
  )
  return JSON.stringify(Object.fromEntries(counts))
})
