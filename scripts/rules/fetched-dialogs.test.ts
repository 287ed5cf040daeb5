import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from '../runtime.mjs'

const sources = fs
  .globSync('web/src/**/*.{ts,tsx}', { cwd: ROOT })
  .map((file) => ({ file, text: fs.readFileSync(path.join(ROOT, file), 'utf8') }))

/** The names under which a component is fetched at its first press. */
const fetched = sources.flatMap(({ text }) =>
  [...text.matchAll(/(\w+)(?: =|:) lazyPart\([^;]*?,\s*'(\w+(?:Dialog|Sheet|Preview))'/g)].map(
    ([, name = '']) => name,
  ),
)

// Until its part is there, nobody but the frame takes the keys: what a clerk types would act on the page behind.
test('a dialog that is fetched is shown in a frame that is there at once', () => {
  expect(fetched.length).toBeGreaterThan(25)
  const shown = sources.filter(({ text }) => fetched.some((name) => new RegExp(`<${name}\\b`).test(text)))
  expect(shown.length).toBeGreaterThan(10)
  expect(shown.filter(({ text }) => !text.includes('<DialogPart')).map(({ file }) => file)).toEqual([])
})
