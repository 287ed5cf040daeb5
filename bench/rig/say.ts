import type { Measured } from './load.ts'

export function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

export function sayMeasured(
  name: string,
  { perSecond, p50, p99, failures }: Measured,
  reference: Measured | undefined,
): void {
  const ratio =
    reference === undefined ? '' : `  x${(perSecond / reference.perSecond).toFixed(2)} of the reference`
  const failed = failures === 0 ? '' : `  ${failures} FAILED`
  say(
    `  ${name.padEnd(28)} ${perSecond.toFixed(0).padStart(6)}/s  p50 ${p50.toFixed(2)} ms  p99 ${p99.toFixed(2)} ms${ratio}${failed}`,
  )
}
