import { performance } from 'node:perf_hooks'
import { openLine, type Line, type Shot } from './line.ts'

export interface Load {
  /** Without a path. */
  readonly origin: string
  readonly connections: number
  readonly seconds: number
  /** Makes the next request; it may differ each time. */
  readonly next: () => Shot
}

export interface Measured {
  readonly perSecond: number
  readonly p50: number
  readonly p99: number
  readonly failures: number
}

/** Every connection sends its next request as soon as it has an answer, for a limited time. Times are milliseconds. */
export async function measure({ origin, connections, seconds, next }: Load): Promise<Measured> {
  const lines = await Promise.all(Array.from({ length: connections }, () => openLine(origin)))
  const times: number[] = []
  let failures = 0
  const start = performance.now()
  const until = start + seconds * 1000
  const worker = async (line: Line) => {
    while (performance.now() < until) {
      const sent = performance.now()
      const status = await line.shoot(next())
      times.push(performance.now() - sent)
      if (status >= 400) failures++
    }
  }
  await Promise.all(lines.map(worker))
  const elapsed = (performance.now() - start) / 1000
  for (const line of lines) line.close()
  times.sort((a, b) => a - b)
  return {
    perSecond: times.length / elapsed,
    p50: quantile(times, 0.5),
    p99: quantile(times, 0.99),
    failures,
  }
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
