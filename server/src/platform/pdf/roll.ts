import { layOut } from './paragraph.ts'
import { createSheet, lineHeight, type Sheet, type SheetOptions } from './sheet.ts'

interface RollOptions extends Omit<SheetOptions, 'height'> {
  /** Empty paper at the end of each page. */
  readonly below: number
}

interface Page {
  bottom: number
  readonly marks: ((sheet: Sheet) => void)[]
}

/** Pages as high as their contents. A PDF needs a page's height before its contents, so the marks wait until the end. */
export function createRoll({ below, ...options }: RollOptions): Sheet {
  let page: Page = { bottom: 0, marks: [] }
  const pages = [page]
  const add = (bottom: number, mark: (sheet: Sheet) => void): void => {
    page.bottom = Math.max(page.bottom, bottom)
    page.marks.push(mark)
  }
  const roll: Sheet = {
    width: options.width,
    get height() {
      return page.bottom
    },
    addPage() {
      page = { bottom: 0, marks: [] }
      pages.push(page)
    },
    text(text, place, style) {
      const height = lineHeight(style)
      const lines = layOut(text, style, place.width)
      for (const [index, line] of lines.entries())
        roll.line(line, { ...place, y: place.y + index * height }, style)
      return lines.length * height
    },
    line: (line, place, style) => add(place.y + lineHeight(style), (sheet) => sheet.line(line, place, style)),
    rule: (place, look) => add(place.y, (sheet) => sheet.rule(place, look)),
    box: (box, look) => add(box.y + box.height, (sheet) => sheet.box(box, look)),
    barcode: (text, box) => add(box.y + box.height, (sheet) => sheet.barcode(text, box)),
    onEachPage(draw) {
      for (const [index, each] of pages.entries()) {
        page = each
        draw(index + 1, pages.length)
      }
    },
    toBytes() {
      const heights = pages.map(({ bottom }) => bottom + below)
      const sheet = createSheet({ ...options, height: heights[0] ?? below })
      for (const [index, { marks }] of pages.entries()) {
        if (index > 0) sheet.addPage(heights[index])
        for (const mark of marks) mark(sheet)
      }
      return sheet.toBytes()
    },
  }
  return roll
}
