import type { Endpoint } from '@cellarhand/contract/endpoint'

/** Random numbers, the same in every run: mulberry32. */
export function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}

type Random = () => number
interface Schema {
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly minItems?: number
  readonly maxItems?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly maxLength?: number
  readonly pattern?: string
}

export const hostileTexts = [
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\udfff\ud800',
  '🍷',
  'Zoë',
  'a\nb',
  '\u202eevil',
  '\u200b',
  '\ufeff',
  "' or 1=1; --",
  '"; drop table orders; --',
  '$1',
  '%s%n',
  '{{7*7}}',
  '${7*7}',
  '<script>alert(1)</script>',
  '../../etc/passwd',
  '__proto__',
  'constructor',
  'null',
  'NaN',
  '1e999',
  '-0',
  '0x1f',
  '\\',
  '\\u0000',
  '\u001b[31m',
  'Ⅷ',
  'İ',
  '2026-02-30T10:00:00Z',
  '0000-01-01T00:00:00Z',
  '2999-12-31T23:59:59.999999-23:59',
  '1900-01-01',
  'x'.repeat(5000),
] as const

export const oddValues = [
  null,
  true,
  false,
  0,
  -1,
  1.5,
  1e21,
  -1e308,
  2 ** 53,
  [],
  {},
  [[]],
  [null],
  { a: { b: {} } },
  '12',
] as const

const pick = <T>(random: Random, from: readonly T[]): T => from[Math.floor(random() * from.length)] as T

/** Texts that fit the patterns of the contract. */
const samples: readonly string[] = [
  '1',
  '1000001',
  'shipped',
  'on_demand',
  'new,accepted',
  'a.1700000000000.1000001',
  '2026-11-20T10:00:00Z',
  '2026-11-20',
  '18:30',
  '640x480',
  'ref-1',
  'Ana',
  '10001',
  'ana@example.com',
  'https://fleet.example/1',
]

/** A value that fits the schema; every few times, one that nearly fits or does not fit at all. */
function valueFor(schema: Schema, random: Random, depth = 0): unknown {
  if (random() < 0.06 || depth > 8)
    return random() < 0.5 ? pick(random, oddValues) : pick(random, hostileTexts)
  if (schema.anyOf !== undefined) return valueFor(pick(random, schema.anyOf), random, depth)
  if (schema.enum !== undefined) return pick(random, schema.enum)
  if (schema.const !== undefined) return schema.const
  switch (schema.type) {
    case 'object':
      return objectFor(schema, random, depth)
    case 'array':
      return Array.from({ length: (schema.minItems ?? 0) + Math.floor(random() * 3) }, () =>
        valueFor(schema.items ?? {}, random, depth + 1),
      )
    case 'integer':
    case 'number':
      return pick(random, [
        schema.minimum ?? 0,
        schema.maximum ?? 9,
        1,
        2,
        52,
        (schema.minimum ?? 0) - 1,
        (schema.maximum ?? 9) + 1,
      ])
    case 'boolean':
      return random() < 0.5
    case 'null':
      return null
    case 'string':
      return textFor(schema, random)
    default:
      return pick(random, oddValues)
  }
}

function textFor({ pattern, maxLength }: Schema, random: Random): string {
  if (random() < 0.25) return pick(random, hostileTexts)
  if (random() < 0.05) return 'x'.repeat((maxLength ?? 50) + (random() < 0.5 ? 0 : 1))
  const fitting = samples.filter((sample) => pattern === undefined || new RegExp(pattern, 'u').test(sample))
  return pick(random, fitting.length === 0 ? samples : fitting)
}

function objectFor({ properties = {}, required = [] }: Schema, random: Random, depth: number): object {
  const entries = Object.entries(properties)
    .filter(([name]) => (required.includes(name) ? random() < 0.97 : random() < 0.5))
    .map(([name, inner]) => [name, valueFor(inner, random, depth + 1)])
  if (random() < 0.05)
    entries.push([pick(random, ['__proto__', 'constructor', 'id', 'extra', '']), pick(random, oddValues)])
  return Object.fromEntries(entries) as object
}

/** A valid body with one changed value: the rest stays valid, so that the request gets far. */
function withOneChange(body: unknown, random: Random): unknown {
  if (typeof body !== 'object' || body === null || Object.keys(body).length === 0)
    return random() < 0.6 ? pick(random, hostileTexts) : pick(random, oddValues)
  if (Array.isArray(body)) {
    const at = Math.floor(random() * body.length)
    return body.map((entry: unknown, index) => (index === at ? withOneChange(entry, random) : entry))
  }
  const name = pick(random, Object.keys(body))
  return { ...body, [name]: withOneChange((body as Record<string, unknown>)[name], random) }
}

/** Every copy of a body with one value replaced, at any depth. */
export function* variationsOf(body: unknown, values: readonly unknown[]): Generator<unknown> {
  if (typeof body !== 'object' || body === null) {
    yield* values
    return
  }
  for (const [name, inner] of Object.entries(body)) {
    for (const other of variationsOf(inner, values)) {
      const copy: Record<string, unknown> = Array.isArray(body)
        ? ([...(body as unknown[])] as never)
        : { ...body }
      copy[name] = other
      yield copy
    }
  }
}

interface Known {
  /** Path parameters of things that exist. */
  readonly params: Readonly<Record<string, readonly string[]>>
  /** Bodies that the endpoint takes. */
  readonly bodies: readonly unknown[]
}

interface RandomRequest {
  readonly path: string
  readonly body: string | undefined
}

/** A request to the endpoint with few or many faults. */
export function randomRequest(endpoint: Endpoint, random: Random, { params, bodies }: Known): RandomRequest {
  const [, address = ''] = endpoint.call.split(' ')
  const path = address.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = random() < 0.85 ? pick(random, params[name] ?? ['x']) : pick(random, hostileTexts)
    return encodeURIComponent(value.toWellFormed().slice(0, 300)) || '%20'
  })
  const query = new URLSearchParams()
  for (const [name, schema] of Object.entries(endpoint.query.properties as Record<string, Schema>))
    if (random() < 0.25) query.append(name, String(valueFor(schema, random)).toWellFormed())
  if (random() < 0.05) query.append(pick(random, ['__proto__', 'limit', 'extra', 'filter[tab][x]']), 'x')
  const text = query.size === 0 ? path : `${path}?${query.toString()}`
  const value =
    bodies.length > 0 && random() < 0.7
      ? withOneChange(pick(random, bodies), random)
      : valueFor((endpoint.body ?? {}) as Schema, random)
  const body = endpoint.body === undefined ? undefined : (JSON.stringify(value) ?? 'null')
  return { path: text, body: body !== undefined && random() < 0.03 ? body.slice(0, -1) : body }
}
