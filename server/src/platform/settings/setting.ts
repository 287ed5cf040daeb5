export type Environment = Readonly<Record<string, string | undefined>>

/** A setting that is missing or wrong; the message names it and says what to do. */
export class ConfigError extends Error {}

/** One environment variable: how to read its text, and its words in docs/configuration.md and .env.example. */
export interface Setting<T> {
  /** The variable's effect, in Markdown. */
  readonly meaning: string
  /** The value without it, in Markdown. */
  readonly without: string
  /** A possible value for .env.example. */
  readonly example: string
  /** Undefined for a variable that is unset or empty. @throws {ConfigError} */
  readonly read: (text: string | undefined, name: string) => T
}

type Settings = Readonly<Record<string, Setting<unknown>>>

type ValuesOf<S extends Settings> = {
  readonly [K in keyof S]: S[K] extends Setting<infer T> ? T : never
}

/** The variables of one topic. A slice declares its own part; the server's root collects the parts. */
export interface Part<V> {
  readonly title: string
  readonly about: string
  readonly settings: Settings
  /** @throws {ConfigError} with one sentence for each unusable variable. */
  readonly read: (env: Environment) => V
}

interface PartOf<S extends Settings, V> {
  readonly title: string
  readonly about?: string
  readonly settings: S
  /** Combines the values, and refuses values that contradict each other. */
  readonly shape: (values: ValuesOf<S>, env: Environment) => V
}

export function settingsPart<const S extends Settings, V>(part: PartOf<S, V>): Part<V> {
  return {
    title: part.title,
    about: part.about ?? '',
    settings: part.settings,
    read(env) {
      const problems: string[] = []
      const values = Object.entries(part.settings).map(([name, setting]) => {
        try {
          return [name, setting.read(env[name] || undefined, name)]
        } catch (error) {
          problems.push(problemOf(error))
          return [name, undefined]
        }
      })
      if (problems.length > 0) throw new ConfigError(problems.join('\n'))
      return part.shape(Object.fromEntries(values) as ValuesOf<S>, env)
    },
  }
}

/** Reads every part, so that one start reports every fault. @throws {ConfigError} */
export function checkParts(parts: readonly Part<unknown>[], env: Environment): void {
  const problems = parts.flatMap((part) => {
    try {
      part.read(env)
      return []
    } catch (error) {
      return [problemOf(error)]
    }
  })
  const sentences = new Set(problems.flatMap((problem) => problem.split('\n')))
  if (sentences.size > 0) throw new ConfigError([...sentences].join('\n'))
}

function problemOf(error: unknown): string {
  if (error instanceof ConfigError) return error.message
  throw error
}

/** All of them or none: half a configuration is a mistake that must show before the first order. */
export function allOrNone<const V extends Readonly<Record<string, string | undefined>>>(
  values: V,
): { readonly [K in keyof V]: string } | undefined {
  const names = Object.keys(values)
  const missing = names.filter((name) => values[name] === undefined)
  if (missing.length === names.length) return undefined
  if (missing.length > 0) {
    const given = names.filter((name) => values[name] !== undefined)
    throw new ConfigError(`${given.join(' and ')} needs ${missing.join(' and ')} beside it.`)
  }
  return values as { readonly [K in keyof V]: string }
}
