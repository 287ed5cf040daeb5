import { expect, test } from 'vitest'
import { findWordings, proseFiles, report } from './words.mjs'

const wordsIn = (name: string, text: string): string[] =>
  findWordings(name, text).map(({ line, words }: { line: number; words: string }) => `${line} ${words}`)

test('the documents name the subject of each sentence', () => {
  const files = proseFiles()
  expect(files.length).toBeGreaterThan(25)
  expect(report(files)).toEqual([])
})

test.each([
  ['Mended by hand.', 'Mended'],
  ['The file goes to whoever asks.', 'whoever'],
  ['It is shown, whatever happens.', 'whatever'],
  ['The rate stands at 3.', 'stands at'],
  ['The number stands in the address.', 'stands in the'],
  ['The key lies below it.', 'lies below'],
  ['The deadline is reckoned.', 'reckoned'],
  ['The history tells what became of it.', 'what became of'],
  ['It is refused to who has lost it.', 'to who'],
  ['It goes on with what is left.', 'with what is'],
  ['It waits. Who is near sees it.', 'Who is near sees it.'],
  ['Late: what was sent stays sent.', 'what was sent stays sent.'],
])('finds the wording in "%s"', (text, words) => {
  expect(wordsIn('a.md', text)).toEqual([`1 ${words}`])
  expect(wordsIn('a.ts', `const a = 1\n// ${text}\nconst b = 2`)).toEqual([`2 ${words}`])
})

test.each([
  'A user who signs in twice.',
  'Which server answers? What is its name? Who asks?',
  'The sandbox stands in for the carrier.',
  'It says what happened and what to do next.',
])('finds nothing in "%s"', (text) => {
  expect(wordsIn('a.md', text)).toEqual([])
})

test('reads Markdown without its code, its links and the entries of released versions', () => {
  const text = [
    '- Who waits, waits.',
    '```sh',
    'mend',
    '```',
    'Run `mend` or [this](mend.md).',
    '## [1.0.0]',
    'Mended.',
  ]
  expect(wordsIn('a.md', text.join('\n'))).toEqual(['1 Who waits, waits.'])
})

test('reads comments alone, and one sentence over several lines', () => {
  const code = [
    "const mend = 'https://mend.test'",
    '/**',
    ' * The lease is kept by',
    ' * who took it.',
    ' */',
    'mend() // the order',
    '// Only a worker',
    '// who is late asks again.',
  ]
  expect(wordsIn('a.ts', code.join('\n'))).toEqual(['3 by who'])
})
