import { expect, test } from 'vitest'
import { readPdf } from '../../../test/papers/pdf-text.ts'
import { layOut } from './paragraph.ts'
import { createSheet } from './sheet.ts'

async function written(text: string, width = 400) {
  const sheet = createSheet({ width: 500, height: 500, title: 'Test', madeAt: new Date(0) })
  sheet.text(text, { x: 50, y: 50, width }, { size: 12 })
  return readPdf(await sheet.toBytes())
}

test('accents, ideographs and emoji use typefaces that have them', async () => {
  for (const text of ['Zoë Łukasiewicz', 'Ελένη', 'Дмитрий', '山田太郎', '王小明们', '한국어', '🍷🎂']) {
    const { all } = await written(text)
    expect(all.replaceAll('\n', '')).toBe(text)
  }
})

test('right-to-left text is reversed, but not the numbers and Latin words in it', async () => {
  const { texts } = await written('דוד כהן 12 abc')
  expect(texts.map(({ text }) => text.trim()).filter(Boolean)).toEqual(['abc', '12', 'ןהכ דוד'])
})

test('Arabic letters are joined', async () => {
  const line = layOut('دعاء', { size: 12 })[0]
  const apart = [...'دعاء'].reduce(
    (width, letter) => width + (layOut(letter, { size: 12 })[0]?.width ?? 0),
    0,
  )
  expect(line?.width).toBeLessThan(apart)
})

test('a text breaks at spaces, inside words too long for the column, and at its own line breaks', () => {
  const lines = (text: string, width: number) =>
    layOut(text, { size: 10 }, width).map((line) => line.runs.map((run) => run.text).join(''))
  expect(lines('one two three', 40)).toEqual(['one two', 'three'])
  expect(lines('a\r\nb\nc', 40)).toEqual(['a', 'b', 'c'])
  expect(lines('x'.repeat(30), 50).join('')).toBe('x'.repeat(30))
  expect(lines('山田太郎山田太郎', 45).length).toBeGreaterThan(1)
  for (const line of layOut('wörter ohne Ende'.repeat(9), { size: 10 }, 90))
    expect(line.width).toBeLessThanOrEqual(90)
})

test('characters that would hide or turn the text are left out', () => {
  const hostile = 'a\u202Eb\u0000c\u200Bd\uD800e\u2066f'
  expect(
    layOut(hostile, { size: 10 })[0]
      ?.runs.map((run) => run.text)
      .join(''),
  ).toBe('abcd\uFFFDef')
})
