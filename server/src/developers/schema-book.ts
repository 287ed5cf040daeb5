import { namedSchemas } from '@cellarhand/contract/named-schemas'

type Json = Readonly<Record<string, unknown>>
/** A reader must expect new fields in what it gets, but a request may have no others. */
type Direction = 'reply' | 'request'

const byIdentity = new Map<unknown, string>(namedSchemas.map(([name, schema]) => [schema, name]))
/** An optional field is a copy of its schema. A short or ambiguous text says too little to be a name. */
const byText = new Map<string, string | undefined>()
for (const [name, schema] of namedSchemas) {
  const text = JSON.stringify(schema)
  const least = 'properties' in schema ? 250 : 60
  byText.set(text, byText.has(text) || text.length < least ? undefined : name)
}

/** Replaces the contract's named schemas by references, and gathers those that were used. */
export function createSchemaBook() {
  const used = new Map<string, unknown>()
  const answers = new Map<string, { readonly name: string; readonly answer: unknown }>()

  function refer(value: unknown, direction: Direction): unknown {
    if (Array.isArray(value)) return value.map((inner) => refer(inner, direction))
    if (typeof value !== 'object' || value === null) return value
    const name = byIdentity.get(value) ?? byText.get(JSON.stringify(value))
    return name === undefined ? spell(value as Json, direction) : named(name, value as Json, direction)
  }

  function spell(schema: Json, direction: Direction): unknown {
    const entries = Object.entries(schema).filter(
      ([key, value]) => !(direction === 'reply' && key === 'additionalProperties' && value === false),
    )
    return Object.fromEntries(entries.map(([key, value]) => [key, refer(value, direction)]))
  }

  /** The first use decides about further fields, so the replies come first. */
  function named(name: string, schema: Json, direction: Direction): { $ref: string } {
    if (!used.has(name)) {
      used.set(name, {})
      used.set(name, spell(schema, direction))
    }
    return { $ref: `#/components/schemas/${name}` }
  }

  return {
    /** A schema of one call alone gets the call's name, unless it is a simple value. */
    refer(schema: unknown, direction: Direction, ownName: string): unknown {
      const found = refer(schema, direction)
      const isShape = typeof found === 'object' && found !== null && 'properties' in found
      if (!isShape || '$ref' in found) return found
      used.set(ownName, found)
      return { $ref: `#/components/schemas/${ownName}` }
    },
    inline: refer,
    /** An answer that many calls give is written once. */
    answer(prefix: string, answer: unknown): { $ref: string } {
      const text = JSON.stringify(answer)
      const count = [...answers.values()].filter(({ name }) => name.split('No')[0] === prefix).length
      const known = answers.get(text) ?? { name: count === 0 ? prefix : `${prefix}No${count + 1}`, answer }
      answers.set(text, known)
      return { $ref: `#/components/responses/${known.name}` }
    },
    answers: () => Object.fromEntries([...answers.values()].map(({ name, answer }) => [name, answer])),
    schemas: () => Object.fromEntries([...used].toSorted(([a], [b]) => a.localeCompare(b, 'en'))),
  }
}

export type SchemaBook = ReturnType<typeof createSchemaBook>
