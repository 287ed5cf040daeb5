import { ConfigError, type Setting } from './setting.ts'

interface Words {
  readonly meaning: string
  readonly without?: string
  readonly example?: string
}

function setting<T>(words: Words, read: Setting<T>['read']): Setting<T> {
  return { meaning: words.meaning, without: words.without ?? 'none', example: words.example ?? '', read }
}

/** Any text; `check` refuses an unusable one, with words such as "must be …". */
export function text(
  words: Words,
  check: (value: string) => string | undefined = () => undefined,
): Setting<string | undefined> {
  return setting(words, (value, name) => {
    const problem = value === undefined ? undefined : check(value)
    if (problem !== undefined) throw new ConfigError(`${name} ${problem}`)
    return value
  })
}

export function textOr(usual: string, words: Words): Setting<string> {
  return setting({ example: usual, without: code(usual), ...words }, (value) => value ?? usual)
}

/** An http or https address, with or without a path. */
export function address(words: Words): Setting<string | undefined> {
  return text(words, (value) =>
    /^https?:\/\/[^/\s]+/.test(value) && URL.canParse(value)
      ? undefined
      : 'must be an address such as https://example.com/path.',
  )
}

/** An address that gets paths appended, so without a slash at its end. */
export function baseAddress(words: Words): Setting<string | undefined> {
  const { read, ...rest } = address(words)
  return { ...rest, read: (value, name) => read(value, name)?.replace(/^(.*[^/])\/*$/s, '$1') }
}

interface Range {
  readonly least: number
  readonly most: number
  readonly usual: number
  readonly isWhole?: boolean
}

export function number({ least, most, usual, isWhole }: Range, words: Words): Setting<number> {
  return setting({ example: String(usual), without: code(String(usual)), ...words }, (value, name) => {
    const found = Number(value ?? usual)
    if (found >= least && found <= most && (!isWhole || Number.isInteger(found))) return found
    throw new ConfigError(
      `${name} must be a ${isWhole ? 'whole ' : ''}number from ${least} to ${most}, not "${value}".`,
    )
  })
}

export function flag(words: Words): Setting<boolean | undefined> {
  return setting({ without: 'off', example: '1', ...words }, (value, name) => {
    if (value === undefined) return undefined
    if (value === '1' || value === '0') return value === '1'
    throw new ConfigError(`${name} must be 1 (on) or 0 (off), not "${value}".`)
  })
}

export function choice<const C extends string>(choices: readonly C[], words: Words): Setting<C | undefined> {
  return setting(words, (value, name) => {
    if (value === undefined) return undefined
    const found = choices.find((one) => one === value)
    if (found !== undefined) return found
    throw new ConfigError(
      `${name} must be ${choices.join(', ').replace(/, ([^,]*)$/, ' or $1')}, not "${value}".`,
    )
  })
}

/** A Basic credential. */
export function credential(words: Words): Setting<string | undefined> {
  return text({ example: 'name:secret', ...words }, (value) =>
    /^[^:]+:.+$/s.test(value) ? undefined : 'must have the form name:secret.',
  )
}

/** A key for encrypting or signing. */
export function key(words: Words): Setting<string | undefined> {
  return text(words, (value) => (value.length < 32 ? 'must have at least 32 characters.' : undefined))
}

function code(value: string): string {
  return `\`${value}\``
}
