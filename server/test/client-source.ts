import { endpoints, operationIds } from '@cellarhand/contract/endpoints'
import { describeApi } from '../src/developers/openapi.ts'

interface Schema {
  readonly $ref?: string
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly patternProperties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: Schema | boolean
  readonly description?: string
}

interface Operation {
  readonly summary: string
  readonly parameters: readonly { name: string; in: string; required: boolean; schema: Schema }[]
  readonly requestBody?: {
    readonly required: boolean
    readonly content: Readonly<Record<string, { readonly schema: Schema }>>
  }
  readonly responses: Readonly<Record<string, { content: Readonly<Record<string, { schema: Schema }>> }>>
}

const simpleTypes: Readonly<Record<string, string>> = {
  string: 'string',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
  null: 'null',
}

const literal = (value: unknown) =>
  typeof value === 'string'
    ? `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
    : JSON.stringify(value)
const nameOf = (name: string) => (/^[A-Za-z_]\w*$/.test(name) ? name : literal(name))

function unionOf(types: readonly string[]): string {
  return [...new Set(types)].join(' | ')
}

/** A schema as a type of TypeScript. */
function typeOf(schema: Schema, indent: string): string {
  if (schema.$ref !== undefined) return schema.$ref.split('/').at(-1) ?? 'unknown'
  if (schema.enum !== undefined) return unionOf(schema.enum.map(literal))
  if (schema.const !== undefined) return literal(schema.const)
  if (schema.anyOf !== undefined) return unionOf(schema.anyOf.map((inner) => typeOf(inner, indent)))
  if (schema.type === 'array') {
    const inner = typeOf(schema.items ?? {}, indent)
    return /[ {]/.test(inner) ? `(${inner})[]` : `${inner}[]`
  }
  return schema.type === 'object' ? objectType(schema, indent) : (simpleTypes[schema.type ?? ''] ?? 'unknown')
}

function objectType(schema: Schema, indent: string): string {
  const { properties = {}, required = [], patternProperties = {}, additionalProperties } = schema
  const fields = Object.entries(properties)
  if (fields.length > 0) {
    const deeper = `${indent}  `
    const lines = fields.map(([name, field]) => {
      const mark = required.includes(name) ? '' : '?'
      return `${commentOf(field.description, deeper)}${deeper}${nameOf(name)}${mark}: ${typeOf(field, deeper)}`
    })
    return `{\n${lines.join('\n')}\n${indent}}`
  }
  const [values] = Object.values(patternProperties)
  const others = values ?? (typeof additionalProperties === 'object' ? additionalProperties : {})
  return `Record<string, ${typeOf(others, indent)}>`
}

function commentOf(text: string | undefined, indent: string): string {
  return text === undefined ? '' : `${indent}/** ${text.replaceAll('*/', '* /')} */\n`
}

/** The calls that a program of the marketplace or of a shop makes. */
const isForPrograms = (call: string) => !/ \/(providers|demo|docs|insights|internal)\//.test(call)

/** The source of the client's types and of its list of calls, from the description of the interface. */
export function clientSource(): string {
  const { paths, components } = describeApi({ title: '', description: '' })
  const schemas = components.schemas as Readonly<Record<string, Schema>>
  const used = new Set<string>()
  const operations: string[] = []
  const lines: string[] = []
  // A module's exports come in another order under Vitest than under Node.
  const idOf = ({ call }: { call: string }) => operationIds[call] ?? ''
  for (const endpoint of endpoints.toSorted((a, b) => (idOf(a) < idOf(b) ? -1 : 1))) {
    const { call, media, status } = endpoint
    if (media !== 'application/json' || !isForPrograms(call)) continue
    const [method = '', path = ''] = call.split(' ')
    const operation = paths[path]?.[method.toLowerCase()] as Operation
    const id = idOf(endpoint)
    const takesKey = 'idempotency-key' in endpoint.headers
    operations.push(operationType(id, operation, { status, takesKey }))
    lines.push(`  ${id}: { method: '${method}', path: '${path}', takesKey: ${takesKey} },`)
  }
  note(`Problem ${operations.join('\n')}`)
  const types = [...used].toSorted().map((name) => {
    const schema = schemas[name] ?? {}
    return `${commentOf(schema.description, '')}export type ${name} = ${typeOf(schema, '')}\n`
  })
  return `// Generated from the contract; see CONTRIBUTING.md, "Add a call". Do not edit.

${types.join('\n')}
/** Each call: the parts of its request and its reply. */
export interface Operations {
${operations.join('\n')}
}

/** The method and address of each call, and whether it takes an Idempotency-Key. */
export const lines = {
${lines.join('\n')}
} as const satisfies Record<keyof Operations, { method: string; path: string; takesKey: boolean }>
`

  /** Adds the schemas that a text names, and those that they name. */
  function note(text: string): void {
    for (const [name] of text.matchAll(/\b[A-Z]\w+\b/g)) {
      const schema = schemas[name]
      if (schema === undefined || used.has(name)) continue
      used.add(name)
      note(refsIn(schema).join(' '))
    }
  }
}

function refsIn(schema: Schema): string[] {
  return [...JSON.stringify(schema).matchAll(/"\$ref":"[^"]*\/(\w+)"/g)].map(([, name = '']) => name)
}

function operationType(
  id: string,
  { summary, parameters, requestBody, responses }: Operation,
  { status, takesKey }: { status: number; takesKey: boolean },
): string {
  const partOf = (place: string) => {
    const parts = parameters.filter((parameter) => parameter.in === place)
    if (parts.length === 0) return 'undefined'
    const properties = Object.fromEntries(parts.map(({ name, schema }) => [name, schema]))
    const required = parts.filter((part) => part.required).map(({ name }) => name)
    return typeOf({ type: 'object', properties, required }, '    ')
  }
  // A call whose body has no fields takes none.
  const body = requestBody?.required === true ? requestBody.content['application/json']?.schema : undefined
  const reply = responses[String(status)]?.content['application/json']?.schema ?? {}
  return `  /** ${summary} */
  ${id}: {
    params: ${partOf('path')}
    query: ${partOf('query')}
    body: ${body === undefined ? 'undefined' : typeOf(body, '    ')}
    reply: ${typeOf(reply, '    ')}
    takesKey: ${takesKey}
  }`
}
