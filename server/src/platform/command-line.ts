import type { Readable } from 'node:stream'
import { parseArgs } from 'node:util'
import type { Config } from './config.ts'

/** The command's arguments make no sense; the message says why. */
export class UsageError extends Error {}

export class Arguments {
  readonly #values: Readonly<Record<string, string | boolean | undefined>>
  readonly files: readonly string[]
  constructor(values: Record<string, string | boolean | undefined>, files: readonly string[]) {
    this.#values = values
    this.files = files
  }
  has(name: string): boolean {
    return this.#values[name] === true
  }
  find(name: string): string | undefined {
    const value = this.#values[name]
    return typeof value === 'string' ? value : undefined
  }
  get(name: string): string {
    return this.find(name) ?? fail(`--${name} is missing.`)
  }
}

export function fail(message: string): never {
  throw new UsageError(message)
}

/** What the commands have of the process that runs them. */
export interface Terminal {
  readonly env: NodeJS.ProcessEnv
  readonly input: Readable
  /** Prints a line of the result. */
  readonly say: (line: string) => void
  /** Prints text beside the result: progress, and the reason of a failure. */
  readonly note: (text: string) => void
  /** A person reads the notes, so that a line may replace the one before. */
  readonly isWatched: boolean
}

export interface Shell extends Terminal {
  readonly config: Config
  /** The command ends with exit code 1, although it did what it could. */
  readonly setFailed: () => void
}

/** The arguments of a shell command. */
export interface Usage {
  readonly summary: string
  /** Options with a value; those in `flags` have none. */
  readonly options: readonly string[]
  readonly optional?: readonly string[]
  readonly flags?: readonly string[]
  readonly file?: string
}

export function usageOf(name: string, { options, optional = [], flags = [], file }: Usage): string {
  return [
    `npm run admin -- ${name}`,
    ...options.map((option) => `--${option} …`),
    ...optional.map((option) => `[--${option} …]`),
    ...flags.map((flag) => `[--${flag}]`),
    ...(file === undefined ? [] : [file]),
  ].join(' ')
}

export function readArguments(name: string, command: Usage, args: string[]): Arguments {
  const valued = [...command.options, ...(command.optional ?? [])]
  const options = Object.fromEntries([
    ...valued.map((option) => [option, { type: 'string' as const }]),
    ...(command.flags ?? []).map((flag) => [flag, { type: 'boolean' as const }]),
  ])
  try {
    const { values, positionals } = parseArgs({
      args,
      options,
      allowPositionals: command.file !== undefined,
    })
    const given = new Arguments(values as Record<string, string | boolean | undefined>, positionals)
    const missing = command.options.filter((option) => given.find(option) === undefined)
    if (missing.length > 0) fail(`${missing.map((option) => `--${option}`).join(', ')}: missing.`)
    return given
  } catch (error) {
    const why = error instanceof Error ? error.message.split('. To specify')[0] : String(error)
    throw new UsageError(`${why ?? ''}\nUsage: ${usageOf(name, command)}`, { cause: error })
  }
}
