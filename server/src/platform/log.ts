import { pino, type Logger, type LoggerOptions } from 'pino'
import { ProviderError } from './outside/provider-error.ts'

/** Without personal data: no bodies, no query strings, no headers. JSON lines, and sentences for a person at a terminal. */
export function createLogger(level: string, { isForPerson = false } = {}): Logger {
  const options: LoggerOptions = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: {
      err: errorFacts,
    },
  }
  if (!isForPerson) return pino(options)
  return pino(options, { write: (line: string) => void process.stdout.write(sentenceOf(line)) })
}

/** The parts of an error that the log has. */
export function errorFacts(error: Error & { code?: string | undefined }) {
  const { name: type, code, message, stack } = error
  return { type, code, message, stack, cause: causeOf(error) }
}

/** The words of a provider repeat its request: an address that it refuses, or a part of a key. Its code does not. */
function causeOf(error: Error): string | undefined {
  const { cause } = error
  if (!(cause instanceof Error)) return undefined
  if (!(error instanceof ProviderError)) return cause.message
  return 'code' in cause ? String(cause.code) : cause.name
}

interface Line {
  readonly level: number
  readonly time: string
  readonly msg?: string
  readonly call?: string
  readonly status?: number
  readonly ms?: number
  readonly err?: { readonly type: string; readonly message: string; readonly stack?: string }
}

/** A JSON line in the words of a person. */
export function sentenceOf(json: string): string {
  const { level, time, msg = '', err, ...facts } = JSON.parse(json) as Line
  const at = new Date(time).toTimeString().slice(0, 8)
  const { call, status, ms } = facts
  if (msg === '' && call !== undefined) return `${at} ${call} answered ${status} in ${ms} ms\n`
  const { warn, error } = pino.levels.values
  const importance = level >= (error ?? 0) ? 'Error: ' : level >= (warn ?? 0) ? 'Warning: ' : ''
  const rest = Object.entries(facts).map(([name, value]) => `${name} ${asText(value)}`)
  const sentence = [msg, err && `${err.type}: ${err.message}`, ...rest].filter(Boolean).join(', ')
  // Only an error that nobody foresaw needs its place in the code.
  const place = err?.stack !== undefined && importance === 'Error: ' ? `\n${placesOf(err.stack)}` : ''
  return `${at} ${importance}${sentence}${place}\n`
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function placesOf(stack: string): string {
  return stack
    .split('\n')
    .filter((line) => line.trimStart().startsWith('at '))
    .join('\n')
}
