import { Type } from 'typebox'
import { object, ours } from './fields.ts'

/** The page that documents the codes, and the code. It is the same at every installation, so clients can compare it. */
export function problemType(code: string): string {
  return `/docs/merchant-api#${code}`
}

/** The fields of every refusal: the specified ones, and beside them those of RFC 9457. */
export const problemFields = {
  message: Type.String({ description: 'For people.' }),
  code: Type.String({ description: 'For programs. New codes can come.' }),
  type: ours(Type.String({ description: 'RFC 9457: which problem it is. It ends in the code.' })),
  title: ours(Type.String({ description: 'RFC 9457: the usual sentence of the code.' })),
  status: ours(Type.Integer({ description: 'RFC 9457: the status of the answer.' })),
  detail: ours(Type.String({ description: 'RFC 9457: what happened here; the same as `message`.' })),
  instance: ours(
    Type.String({
      description: 'RFC 9457: the id of the request, as in the header `x-request-id`.',
    }),
  ),
}

export const Problem = object({
  ...problemFields,
  errors: Type.Optional(
    Type.Union([
      Type.Record(Type.String(), Type.String(), { description: 'Field to sentence.' }),
      Type.Array(Type.Object({ message: Type.String() }, { additionalProperties: true })),
    ]),
  ),
})
