/**
 * The number in the barcode of a bottle. GTIN-8, UPC-A, EAN-13 and GTIN-14 are one number of different length: they are
 * equal when their leading zeros are stripped, and the check digit counts from the right.
 */

const lengths = { least: 8, most: 14 }

/** The check digit weighs the others by 3 and 1 in turn, from the right. */
function isChecked(digits: string): boolean {
  const sum = [...digits].reduceRight(
    (total, digit, at) => total + Number(digit) * ((digits.length - 1 - at) % 2 === 0 ? 1 : 3),
    0,
  )
  return sum % 10 === 0
}

function keyOf(digits: string): string | undefined {
  const key = digits.replace(/^0+/, '')
  return key !== '' && isChecked(key) ? key : undefined
}

/** The number without leading zeros, as it is stored and compared; undefined when the text is none. */
export function readGtin(text: string): string | undefined {
  const digits = text.replaceAll(/[ -]/g, '')
  if (!/^\d+$/.test(digits) || digits.length < lengths.least || digits.length > lengths.most) return undefined
  return keyOf(digits)
}

/** In the length in which it is printed: 8, 12, 13 or 14 digits. */
export function formatGtin(key: string): string {
  return key.padStart(key.length <= 8 ? 8 : 12, '0')
}

/** The digits of a UPC-A that the short UPC-E of a small bottle leaves out. */
function expandUpcE(digits: string): string | undefined {
  if (!/^[01]\d{7}$/.test(digits)) return undefined
  const [system, body, last, check] = [digits[0], digits.slice(1, 6), digits[6] ?? '', digits[7]]
  const middle =
    last <= '2'
      ? `${body.slice(0, 2)}${last}0000${body.slice(2)}`
      : last === '3'
        ? `${body.slice(0, 3)}00000${body.slice(3)}`
        : last === '4'
          ? `${body.slice(0, 4)}00000${body.slice(4)}`
          : `${body}0000${last}`
  return `${system}${middle}${check}`
}

/**
 * The numbers that a scan can mean: none for a barcode of another kind, two for eight digits that are both a short and a
 * compressed number.
 */
export function gtinsOfScan(scan: string): string[] {
  const digits = scan.replaceAll(/[\s-]/g, '')
  const expanded = expandUpcE(digits)
  const keys = [readGtin(digits), expanded === undefined ? undefined : keyOf(expanded)]
  return [...new Set(keys.filter((key) => key !== undefined))]
}
