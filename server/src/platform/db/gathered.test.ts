import { expect, test } from 'vitest'
import { gathered } from './gathered.ts'

test('all who ask in one turn of the event loop share one query, and the next turn asks anew', async () => {
  const queries: (readonly string[])[] = []
  const find = gathered(async (keys: readonly string[]) => {
    queries.push(keys)
    return new Map(
      keys.filter((key) => key !== 'nobody').map((key) => [key, `${key} of query ${queries.length}`]),
    )
  })
  expect(await Promise.all([find('ana'), find('ben'), find('ana'), find('nobody')])).toEqual([
    'ana of query 1',
    'ben of query 1',
    'ana of query 1',
    undefined,
  ])
  expect(queries).toEqual([['ana', 'ben', 'nobody']])
  expect(await find('ana')).toBe('ana of query 2')
})

test('a failed query fails for all who waited for it, and for nobody else', async () => {
  let isBroken = true
  const find = gathered(async (keys: readonly string[]) => {
    if (isBroken) throw new Error('the connection broke')
    return new Map(keys.map((key) => [key, key]))
  })
  const answers = await Promise.allSettled([find('ana'), find('ben')])
  expect(answers.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  isBroken = false
  expect(await find('ana')).toBe('ana')
})
