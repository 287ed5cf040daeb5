import { expect, test } from 'vitest'
import { withoutPersons } from './without-persons.ts'

test('people’s addresses, long numbers and queries are removed', () => {
  expect(withoutPersons('No dee@example.com, (212) 555-0123 at /x?jwt=1.', 500)).toBe(
    'No <email> (<number> at /x?…',
  )
  expect(withoutPersons('a@b@c @d e@ <f@g>', 500)).toBe('<email>@c @d e@ <<email>>')
})

test('only the beginning of a long text is searched and kept, cut between two words', () => {
  const scanned = `${'x'.repeat(90)} dee@example.com`
  expect(withoutPersons(scanned.repeat(10_000), 95)).toBe('x'.repeat(90))
  expect(withoutPersons('a'.repeat(2_000_000), 500)).toBe('a'.repeat(500))
  expect(withoutPersons('a@b '.repeat(500_000), 500)).toHaveLength(500)
})
