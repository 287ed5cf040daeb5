import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from '../runtime.mjs'

const sources = fs
  .globSync('web/src/**/*.{ts,tsx}', { cwd: ROOT })
  .map((file) => ({ file, text: fs.readFileSync(path.join(ROOT, file), 'utf8') }))
const filesWith = (...patterns: readonly RegExp[]) =>
  sources.filter(({ text }) => patterns.every((each) => each.test(text))).map(({ file }) => file)

// A toast without the name of its action stays for eight seconds, beside the success of the next try.
test('a mutation tells its failure under the name of its action: by useTold or tellFailure', () => {
  expect(filesWith(/\buseTold\(/).length).toBeGreaterThan(10)
  expect(filesWith(/\buse(Mutation|Told)\(/, /\btoast\(\s*'error'/)).toEqual([])
})
