import { messages } from '@cellarhand/contract/messages'
import { Ajv, type ErrorObject, type Options } from 'ajv'
import type { FastifySchemaValidationError } from 'fastify/types/schema.js'

const common = { strict: false, ownProperties: true, verbose: true } as const

/** `quick` says whether a value is valid; `thorough` also lists every fault of an invalid one. */
const modes = (options: Options) => ({
  quick: new Ajv({ ...common, ...options }),
  thorough: new Ajv({ ...common, ...options, allErrors: true }),
})

/** Bodies stay as they are. Path and query are text on the wire, so "30" becomes 30 if the schema wants a number. */
const bodies = modes({})
const addresses = modes({ coerceTypes: true })

/** Far more than any order has. Listing all faults of a larger value would block the server for seconds. */
const mostExplained = 10_000
const mostFields = 100

export function compileValidator({ schema, httpPart }: { schema: unknown; httpPart?: string }) {
  const { quick, thorough } = httpPart === 'body' ? bodies : addresses
  const check = quick.compile(schema as object)
  return (value: unknown): true | { error: FastifySchemaValidationError[] } => {
    if (check(value)) return true
    const explain = thorough.compile(schema as object)
    const errors = !holdsMoreThan(mostExplained, value) && !explain(value) ? explain.errors : check.errors
    return { error: (errors ?? []) as unknown as FastifySchemaValidationError[] }
  }
}

/** Without recursion, since the value may be nested deeper than the stack. */
function holdsMoreThan(most: number, value: unknown): boolean {
  const open = [value]
  let met = 1
  while (open.length > 0) {
    const next = open.pop()
    if (typeof next !== 'object' || next === null) continue
    for (const key in next) {
      if (++met > most) return true
      open.push((next as Record<string, unknown>)[key])
    }
  }
  return false
}

/** Field (dotted path) to one sentence. A missing field gets the specification's required message. */
export function fieldErrors(errors: readonly FastifySchemaValidationError[]): Record<string, string> {
  const fields = new Map<string, string>()
  for (const error of errors as unknown as ErrorObject[]) {
    // A nullable field reports each branch of its union; the branch that is not null names the fault.
    if (error.keyword === 'anyOf' || (error.keyword === 'type' && error.params['type'] === 'null')) continue
    const field = fieldOf(error)
    if (!fields.has(field)) fields.set(field, sentence(error, field))
    if (fields.size === mostFields) break
  }
  if (fields.size === 0 && errors.length > 0) fields.set('', 'The value is not of the expected form')
  return Object.fromEntries(fields)
}

function fieldOf(error: ErrorObject): string {
  const parents = error.instancePath
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
  const child = error.params['missingProperty'] ?? error.params['additionalProperty']
  return [...parents, ...(typeof child === 'string' ? [child] : [])].join('.')
}

/** The spoken name of a field whose name on the wire differs (GAP-49). */
const spokenNames: Readonly<Record<string, string>> = { birthday: 'birth_date' }

function requiredSentence(field: string): string {
  const name = field.split('.').at(-1) ?? field
  return messages.requiredField(spokenNames[name] ?? name)
}

function sentence(error: ErrorObject, field: string): string {
  const limit = String(error.params['limit'])
  switch (error.keyword) {
    case 'required':
      return requiredSentence(field)
    case 'additionalProperties':
      return 'This field is not known here; please leave it out'
    case 'type':
      if (error.params['type'] === 'number') return messages.onlyNumbers
      return `Must be of type ${String(error.params['type'])}`
    case 'enum':
      return `Must be one of: ${(error.params['allowedValues'] as unknown[]).join(', ')}`
    case 'const':
      return `Must be ${JSON.stringify(error.params['allowedValue'])}`
    case 'maxLength':
      return `Must have at most ${limit} characters`
    case 'minLength':
      return requiredSentence(field)
    case 'maxItems':
      return `Must have at most ${limit} entries`
    case 'minItems':
      return `Must have at least ${limit} entries`
    case 'minimum':
      return `Must be at least ${limit}`
    case 'maximum':
      return `Must be at most ${limit}`
    case 'pattern':
      if (String(error.data).trim() === '') return requiredSentence(field)
      return 'Is not of the expected form'
    default:
      return error.message ?? 'Is not valid'
  }
}
