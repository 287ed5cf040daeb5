import { PDFDict, PDFDocument, PDFName } from '@cantoo/pdf-lib'
import { expect, test } from 'vitest'
import { readPdf } from '../../../test/papers/pdf-text.ts'
import { mergePdfs } from './merge.ts'
import { createSheet } from './sheet.ts'

async function paper(text: string, pages = 1): Promise<Buffer> {
  const sheet = createSheet({ width: 300, height: 200, title: text, madeAt: new Date(0) })
  for (let page = 1; page <= pages; page++) {
    if (page > 1) sheet.addPage()
    sheet.text(text, { x: 20, y: 20, width: 260 }, { size: 12 })
    sheet.text(`Bold ${page}`, { x: 20, y: 60, width: 260 }, { size: 12, weight: 'bold' })
  }
  return sheet.toBytes()
}

async function fontsIn(bytes: Uint8Array): Promise<number> {
  const { context } = await PDFDocument.load(bytes)
  return context
    .enumerateIndirectObjects()
    .filter(
      ([, object]) =>
        object instanceof PDFDict && object.get(PDFName.of('Type')) === PDFName.of('FontDescriptor'),
    ).length
}

test('papers of usual texts share two fonts, another script brings its own, and every text can be copied out', async () => {
  const texts = ['Château Óñ, 750 ml × 2', 'Zoë’s affluent office – №', 'plain', 'Łukasz 山田']
  const papers = await Promise.all([...texts.map((text) => paper(text)), paper('two pages', 2)])
  const merged = await mergePdfs(papers)
  const { pages, texts: read } = await readPdf(merged)
  expect(pages).toBe(6)
  const onPage = (page: number) =>
    read
      .filter((run) => run.page === page)
      .map((run) => run.text)
      .join(' ')
  for (const [index, text] of texts.entries())
    expect(onPage(index + 1).replaceAll(/\s/g, '')).toContain(text.replaceAll(' ', ''))
  expect(onPage(6)).toContain('Bold 2')
  const plain = await mergePdfs([await paper('one'), await paper('two'), await paper('three', 3)])
  expect(await fontsIn(plain)).toBe(2)
  expect(await fontsIn(merged)).toBeLessThan((await Promise.all(papers.map(fontsIn))).reduce((a, b) => a + b))
})
