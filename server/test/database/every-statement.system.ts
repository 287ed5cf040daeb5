import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { cloneDatabase } from './cloned-database.ts'

/** `prepare` takes only these; the few others, such as `listen`, run in the tests that this version repeats. */
const preparable = /^\s*(?:select|insert|update|delete|merge|with|values)\b/i
/** Tables that tests of the platform make for themselves. */
const ofTests = /\b(?:pairs|work_notes)\b/

test('each statement that the server sent in the whole suite can be prepared on this PostgreSQL', async () => {
  const folder = process.env['STATEMENTS_FROM'] ?? ''
  const texts = await Promise.all((await readdir(folder)).map((name) => readFile(join(folder, name), 'utf8')))
  const database = await cloneDatabase()
  const refused: string[] = []
  let prepared = 0
  for (const text of texts.filter((each) => preparable.test(each) && !ofTests.test(each)))
    try {
      await database.owner.query(`prepare every_${prepared++} as ${text}`)
    } catch (error) {
      refused.push(`${String(error)}\n${text}`)
    }
  await database.drop()
  expect(refused).toEqual([])
  // The suite sends about a thousand; a folder that stays empty would prove nothing.
  expect(prepared).toBeGreaterThan(700)
})
