import type { Shot } from '../rig/line.ts'
import { measure, medianOf, type Measured } from '../rig/load.ts'
import type { ServerProcess } from '../rig/servers.ts'
import { anyOf, type Account, type Field } from './field.ts'

export const bare = 'bare reference'
export const firstPage = 'first page'
export const readAnew = (name: string) => `${name}, read anew`
export const allTabs = 'all tabs'
export const deepPage = 'offset 50,000'
const oneOrder = 'one order'
export const searches = ['search by number', 'search by name', 'search by e-mail'] as const

export interface Effort {
  readonly rounds: number
  /** Of each subject in each round. */
  readonly seconds: number
  /** Starts other work in the same database, and returns the function that stops it. */
  readonly beside?: (size: Size) => Promise<() => Promise<void>>
}

export interface Subject {
  readonly origin: string
  readonly next: () => Shot
}

export type Subjects = Record<string, Subject>
export type Figures = Record<string, Measured>

/** For a database with one merchant's 100,000 orders, and for one with many more. */
export interface OfBoth<T> {
  readonly small: T
  readonly large: T
}

const sizes = ['small', 'large'] as const
type Size = (typeof sizes)[number]

/**
 * Measures all of them in turn, so that the machine's other work affects all alike. A first round does not count,
 * because the code is still being compiled.
 */
export async function race(
  subjects: OfBoth<Subjects>,
  connections: number,
  { rounds, seconds, beside }: Effort,
): Promise<OfBoth<Figures>> {
  const turns = Object.keys(subjects.small).flatMap((name) =>
    sizes.map((size) => ({
      size,
      name,
      subject: subjects[size][name] as Subject,
      results: [] as Measured[],
    })),
  )
  for (let round = 0; round <= rounds; round++) {
    for (const { size, subject, results } of turns) {
      const stop = await beside?.(size)
      const measured = await measure({ ...subject, connections, seconds })
      await stop?.()
      if (round > 0) results.push(measured)
    }
  }
  const figuresOf = (wanted: string): Figures =>
    Object.fromEntries(
      turns.filter(({ size }) => size === wanted).map(({ name, results }) => [name, medianOf(results)]),
    )
  return { small: figuresOf('small'), large: figuresOf('large') }
}

/** The server remembers pages by their whole address. A new address makes it read the page from the tables. */
export function anew({ origin, next }: Subject): Subject {
  let asked = 0
  return {
    origin,
    next: () => {
      const shot = next()
      return { ...shot, headers: { ...shot.headers, host: `desk-${asked++}.example` } }
    },
  }
}

export function reading(app: ServerProcess, { merchantId, token }: Account, query: string): Subject {
  const shot = {
    path: `/m/v2/merchant/${merchantId}/orders/${query}`,
    headers: { authorization: `Bearer ${token}` },
  }
  return { origin: app.origin, next: () => shot }
}

/** Follows next_url as a client does, and returns the address of the page at an offset. */
async function pageAt(app: ServerProcess, { merchantId, token }: Account, offset: number): Promise<string> {
  const base = `/m/v2/merchant/${merchantId}/orders/`
  let query = 'optimized?limit=100'
  for (let at = 0; at < offset; at += 100) {
    const reply = await fetch(`${app.origin}${base}${query}`, {
      headers: { authorization: `Bearer ${token}` },
    })
    const { next_url: next } = (await reply.json()) as { next_url: string }
    query = next.slice(next.indexOf('optimized?'))
  }
  return query.replace('limit=100', 'limit=30')
}

export async function subjectsOf(
  { app, reference, account, orderIds }: Field,
  deepOffset: number,
): Promise<Subjects> {
  const headers = { authorization: `Bearer ${account.token}` }
  const search = (filter: string, value: () => string): Subject => ({
    origin: app.origin,
    next: () => ({
      path: `/m/v2/merchant/${account.merchantId}/orders/optimize?limit=10&offset=0&filter[${filter}]=${encodeURIComponent(value())}`,
      headers,
    }),
  })
  const first = reading(app, account, 'optimized?filter[tab]=active')
  const found = {
    'search by number': search('search', () => anyOf(orderIds).slice(0, 6)),
    'search by name': search('recipient_name', () =>
      anyOf(['haddad', 'zoe', 'rossi', 'tanaka b', 'agard 1', 'moreau 2f']),
    ),
    'search by e-mail': search('customer_email', () =>
      anyOf(['customer1a', '@post.example', 'customerf00', 'er2b@']),
    ),
  } satisfies Record<(typeof searches)[number], Subject>
  return {
    [bare]: {
      origin: reference.origin,
      next: () => ({ path: `/page?merchant=${account.merchantId}&tab=active` }),
    },
    [firstPage]: first,
    ...found,
    [readAnew(firstPage)]: anew(first),
    ...Object.fromEntries(searches.map((name) => [readAnew(name), anew(found[name])])),
    [readAnew(allTabs)]: anew(reading(app, account, 'optimized')),
    [readAnew(deepPage)]: anew(reading(app, account, await pageAt(app, account, deepOffset))),
    [oneOrder]: { origin: app.origin, next: () => ({ path: `/m/v2/orders/${anyOf(orderIds)}`, headers }) },
  }
}
