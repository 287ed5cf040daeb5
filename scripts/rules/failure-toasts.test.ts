import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from '../runtime.mjs'

const sources = fs
  .globSync('web/src/**/*.{ts,tsx}', { cwd: ROOT })
  .filter((file) => !file.endsWith('.test.ts'))
  .map((file) => ({ file, text: fs.readFileSync(path.join(ROOT, file), 'utf8') }))
const filesWith = (pattern: RegExp) =>
  sources.filter(({ text }) => pattern.test(text)).map(({ file }) => file)

// A toast without the name of its action stays for eight seconds, beside the success of the next try.
test('each failure in a toast has the name of its action: by useTold or tellFailure', () => {
  expect(filesWith(/\btellFailure\(/).length).toBeGreaterThan(20)
  expect(filesWith(/\btoast\(\s*['"`]error/)).toEqual([])
})

test('the file that tells a failure also takes it back at the next try', () => {
  const takesBack = new Set(filesWith(/\b(told|useTold|takeBackFailure)\(/))
  const others = filesWith(/\btellFailure\(/).filter((file) => !takesBack.has(file))
  expect(others.toSorted()).toEqual([
    // `print-report.ts` takes it back by the same name.
    'web/src/documents/public.ts',
    // `labels-part.tsx` takes it back by the same name.
    'web/src/shipping/open-labels.ts',
  ])
})
