export interface BirthDateParts {
  readonly year: string
  readonly month: string
  readonly day: string
}

const YEARS = 120

/** The years in the picker, latest first (VALID-008). */
export function birthYears(thisYear: number): string[] {
  return Array.from({ length: YEARS }, (_, index) => String(thisYear - index))
}

/** The days of a month; without a year February keeps its 29th, without a month there are 31 (VALID-009). */
export function birthDays(month: string, year: string): string[] {
  const count = month === '' ? 31 : new Date(Date.UTC(Number(year || '2000'), Number(month), 0)).getUTCDate()
  return Array.from({ length: count }, (_, index) => String(index + 1).padStart(2, '0'))
}

/** YYYY-MM-DD; empty without any choice, and no real date while a part is missing. */
export function toDay({ year, month, day }: BirthDateParts): string {
  return year === '' && month === '' && day === '' ? '' : `${year}-${month}-${day}`
}

export function partsOf(text: string): BirthDateParts {
  const [year = '', month = '', day = ''] = text.split('-')
  return { year, month, day }
}
