import { expect, test } from 'vitest'
import type { Command } from './find-commands.ts'
import { findCommands } from './find-commands.ts'

const command = (label: string, words = ''): Command => ({
  group: 'Go to',
  label,
  words,
  run: () => undefined,
})
const commands = [
  command('Active orders', 'list'),
  command('Inventory', 'stock'),
  command('Sign Out', 'log out'),
]
const labelsFor = (typed: string) => findCommands(commands, typed, () => undefined).map(({ label }) => label)

test('an empty text finds every command, in sequence', () => {
  expect(labelsFor(' ')).toEqual(['Active orders', 'Inventory', 'Sign Out'])
})

test('every word has to match, in the label or beside it, in any case', () => {
  expect(labelsFor('STOCK')).toEqual(['Inventory'])
  expect(labelsFor('orders act')).toEqual(['Active orders'])
  expect(labelsFor('orders stock')).toEqual([])
})

test('commands that begin with the word come first', () => {
  expect(labelsFor('o')).toEqual(['Active orders', 'Inventory', 'Sign Out'])
  expect(labelsFor('i')[0]).toBe('Inventory')
})

test('a number opens the order of that number', () => {
  const opened: string[] = []
  const [first] = findCommands(commands, '#1000326', (id) => opened.push(id))
  expect(first?.label).toBe('Order #1000326')
  first?.run()
  expect(opened).toEqual(['1000326'])
  expect(labelsFor('10 00')).toEqual([])
})
