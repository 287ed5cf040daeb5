import { afterEach, expect, test } from 'vitest'
import { takeBackFailure, tellFailure, toasts } from './toasts.tsx'
import { told } from './told.ts'

const lost = 'The slip could not be printed.'
const shown = (): (string | undefined)[] => toasts.get().map(({ of }) => of)

afterEach(() => toasts.set([]))

test('equal failures of two orders are two, and each goes by itself', () => {
  tellFailure('slip of 1', lost)
  tellFailure('slip of 2', lost)
  expect(shown()).toEqual(['slip of 1', 'slip of 2'])
  takeBackFailure('slip of 1')
  expect(shown()).toEqual(['slip of 2'])
})

test('a second failure of the same action takes the place of the first', () => {
  tellFailure('slip of 1', lost)
  tellFailure('slip of 1', lost)
  expect(shown()).toEqual(['slip of 1'])
})

test('a try takes back the failure of the one before it, and its success that of one that failed meanwhile', async () => {
  tellFailure('slip of 1', lost)
  const answer = Promise.withResolvers<string>()
  const second = told('slip of 1', () => answer.promise)
  expect(shown()).toEqual([])
  tellFailure('slip of 1', lost)
  answer.resolve('a slip')
  expect(await second).toBe('a slip')
  expect(shown()).toEqual([])
})
