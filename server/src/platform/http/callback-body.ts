import type { Static, TSchema } from 'typebox'
import { refuse } from './refuse.ts'
import { compileValidator, fieldErrors } from './validation.ts'

/**
 * Checks what a provider calls back with like any other body. A slice checks it itself, after the signature, since one
 * address takes the bodies of several providers. Fields that nobody here reads may hold anything.
 */
export function createBodyReader<S extends TSchema>(schema: S): (body: unknown) => Static<S> {
  const check = compileValidator({ schema, httpPart: 'body' })
  return (body) => {
    const result = check(body)
    if (result !== true) return refuse('validation_failed', { errors: fieldErrors(result.error) })
    return body as Static<S>
  }
}
