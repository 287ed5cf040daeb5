import { Agent, request } from 'node:http'
import { performance } from 'node:perf_hooks'

export interface Shot {
  readonly path: string
  readonly method?: 'GET' | 'PUT' | 'POST'
  readonly headers?: Record<string, string>
  readonly body?: string
}

export interface Load {
  /** Without a path. */
  readonly origin: string
  readonly connections: number
  readonly seconds: number
  /** The next request; another one each time, if wanted. */
  readonly next: () => Shot
}

export interface Measured {
  readonly perSecond: number
  readonly p50: number
  readonly p99: number
  readonly failures: number
}

/** Every connection asks again as soon as it was answered, for a bounded time; times are milliseconds. */
export async function measure({ origin, connections, seconds, next }: Load): Promise<Measured> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const times: number[] = []
  let failures = 0
  const start = performance.now()
  const until = start + seconds * 1000
  const worker = async () => {
    while (performance.now() < until) {
      const sent = performance.now()
      const status = await shoot(agent, origin, next())
      times.push(performance.now() - sent)
      if (status >= 400) failures++
    }
  }
  await Promise.all(Array.from({ length: connections }, worker))
  const elapsed = (performance.now() - start) / 1000
  agent.destroy()
  times.sort((a, b) => a - b)
  return {
    perSecond: times.length / elapsed,
    p50: quantile(times, 0.5),
    p99: quantile(times, 0.99),
    failures,
  }
}

/** One request, to its last byte; answers its status. */
export function shoot(agent: Agent, origin: string, shot: Shot): Promise<number> {
  return new Promise((resolve, reject) => {
    const call = request(
      `${origin}${shot.path}`,
      {
        agent,
        method: shot.method ?? 'GET',
        headers: {
          ...shot.headers,
          ...(shot.body === undefined ? {} : { 'content-type': 'application/json' }),
        },
      },
      (response) => {
        response.on('data', () => undefined)
        response.on('end', () => resolve(response.statusCode ?? 0))
      },
    )
    call.on('error', reject)
    call.end(shot.body)
  })
}

export function quantile(sorted: readonly number[], q: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? 0
}

export function median(values: readonly number[]): number {
  return quantile(
    values.toSorted((a, b) => a - b),
    0.5,
  )
}

/** The medians of several rounds, figure by figure. */
export function medianOf(rounds: readonly Measured[]): Measured {
  const of = (key: keyof Measured) => median(rounds.map((round) => round[key]))
  return {
    perSecond: of('perSecond'),
    p50: of('p50'),
    p99: of('p99'),
    failures: rounds.reduce((sum, round) => sum + round.failures, 0),
  }
}
