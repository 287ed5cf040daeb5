import { expect, test } from 'vitest'
import { reportFileName } from './report-files.ts'

const named = (last_name: string) => reportFileName({ id: '1000123', customer: { last_name } }, 'receipt')

test('PRINT-001 a receipt’s file name has the order and the customer, without characters that file names cannot have', () => {
  expect(named('Smith')).toBe('1000123-Smith-Receipt.pdf')
  expect(named("O'Brien-Łukasz")).toBe("1000123-O'Brien-Łukasz-Receipt.pdf")
  expect(named('../../etc/passwd')).toBe('1000123-_.._etc_passwd-Receipt.pdf')
  expect(named('a<b>:"|?*\\c\u0000\u202E')).toBe('1000123-a_b_______c__-Receipt.pdf')
  expect(named('x'.repeat(300))).toHaveLength('1000123-'.length + 60 + '-Receipt.pdf'.length)
  expect(reportFileName({ id: '7', customer: { last_name: '山田' } }, 'packingslip')).toBe(
    '7-山田-PackingSlip.pdf',
  )
})
