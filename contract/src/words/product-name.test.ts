import { expect, test } from 'vitest'
import { messages } from './messages.ts'
import { namedAs } from './product-name.ts'

test('GAP-56 every fixed text that names the product takes its name, and other texts stay', () => {
  const texts = Object.values(messages).filter((text) => typeof text === 'string')
  const naming = texts.filter((text) => text.includes('Thirstie'))
  expect(naming.length).toBeGreaterThan(5)
  for (const text of naming)
    expect(namedAs('$& Vintner', text)).toBe(text.replace('Thirstie', () => '$& Vintner'))
  expect(namedAs('Vintner', 'Thirstie Street 1')).toBe('Thirstie Street 1')
})
