import { expect, test } from 'vitest'
import { readPdf } from '../../../test/papers/pdf-text.ts'
import { createSheet } from '#platform/pdf/sheet.ts'
import { createFlow, numberPiece } from './flow.ts'

const body = { size: 10 }

function paper() {
  const sheet = createSheet({ width: 200, height: 200, title: 'Test', madeAt: new Date(0) })
  const flow = createFlow(sheet, { y: 20, bottom: 180, top: 40, drawTop: () => {} })
  return { sheet, flow }
}

test('a block higher than a page is an error and is never drawn in part', () => {
  const { flow } = paper()
  expect(() => flow.need(140)).not.toThrow()
  expect(() => flow.need(141)).toThrow('higher than a page')
  flow.head = { height: 20, draw: () => {} }
  expect(() => flow.need(121)).toThrow('higher than a page')
})

test('a row that fits on a page is never split', async () => {
  const { sheet, flow } = paper()
  for (const name of ['one', 'two', 'three'])
    flow.row([{ x: 20, width: 100, pieces: Array.from({ length: 5 }, () => ({ text: name, style: body })) }])
  const { texts } = await readPdf(await sheet.toBytes())
  for (const name of ['one', 'two', 'three'])
    expect(new Set(texts.filter(({ text }) => text === name).map(({ page }) => page)).size).toBe(1)
  expect(texts.at(-1)?.page).toBe(2)
})

test('a row higher than a page continues line by line, each stack by itself', async () => {
  const { sheet, flow } = paper()
  let sheets = 0
  const lines = Array.from({ length: 40 }, (_, index) => `line ${index}`)
  flow.row(
    [
      { x: 20, width: 80, pieces: [{ text: lines.join('\n'), style: body }] },
      { x: 110, width: 60, pieces: [{ text: 'beside', style: body }] },
    ],
    { behind: () => sheets++ },
  )
  const { texts, pages } = await readPdf(await sheet.toBytes())
  expect([pages, sheets]).toEqual([4, 4])
  expect(texts.filter(({ x }) => x === 20).map(({ text }) => text)).toEqual(lines)
  expect(texts.filter(({ x }) => x === 110).map(({ text, page }) => [text, page])).toEqual([['beside', 1]])
  expect(Math.max(...texts.map(({ y }) => y))).toBeLessThan(180)
})

test('a number gets smaller rather than break in two', () => {
  const style = { size: 12, weight: 'bold' } as const
  expect(numberPiece('12', 30, style).style.size).toBe(12)
  expect(numberPiece('1234567', 30, style).style.size).toBeLessThan(8)
})
