import { expect, test } from 'vitest'
import { CallError, UnreachableError } from './call.ts'
import { reasonOf } from './reason-of.ts'

test.each([
  [
    'a refusal',
    new CallError(409, { code: 'last_owner', message: 'The last owner stays' }),
    'The last owner stays',
  ],
  ['a refusal without a code', new CallError(404, { message: 'No such order' }), 'No such order'],
  ['a database that is away', new CallError(503, { code: 'database_unavailable', message: 'Wait' }), 'Wait'],
  ['no answer', new UnreachableError('The server could not be reached.'), 'The server could not be reached.'],
  [
    'a fault of the server',
    new CallError(500, { code: 'internal', message: 'Something went wrong' }),
    undefined,
  ],
  ['a failing proxy', new CallError(502, null), undefined],
  [
    'a bad field',
    new CallError(400, { code: 'validation_failed', message: 'No', errors: { zip: 'Wrong' } }),
    undefined,
  ],
  ['a fault of the page', new TypeError('x is undefined'), undefined],
])('%s', (_name, error, reason) => {
  expect(reasonOf(error)).toBe(reason)
})
