import { expect, test } from 'vitest'
import { rowsOf } from './offering-rows.ts'
import { offeringsCsv } from './offerings-csv.ts'

function lineOf(name: string, brand = 'B'): string {
  const rows = rowsOf([
    {
      id: 'A-1',
      price: 12.5,
      quantity: -2,
      is_active: true,
      stock_behavior: null,
      product: {
        tpk: 'tp-1',
        product_line: { name, brand: { name: brand } },
        container_size: { formatted: '750 mL' },
      },
      merchant: { name: 'Shop' },
      gtin: '036000291452',
      location: 'B-14',
    },
  ])
  return offeringsCsv(rows).split('\r\n')[1] ?? ''
}

test('the file has the table’s values, quoted where needed', () => {
  expect(lineOf('Red, "Les Ronces"')).toBe(
    'B,"Red, ""Les Ronces""",tp-1,750 mL,12.50,-2,yes,A-1,036000291452,B-14,',
  )
})

test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '  =1', '＝1'])(
  'a text that a spreadsheet would run, %j, stays text',
  (name) => {
    expect(lineOf(name)).toContain(`"'${name}"`)
  },
)
