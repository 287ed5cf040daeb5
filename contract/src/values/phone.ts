/** The ten digits of a US number without its country code; undefined of any other, also of one with another country's. */
export function usDigits(phone: string): string | undefined {
  const [, sign, digits = ''] = /^(\+?)(\d+)$/.exec(phone.replaceAll(/[^\d+]/g, '')) ?? []
  if (digits.length === 11 && digits.startsWith('1')) return digits.slice(1)
  return digits.length === 10 && sign === '' ? digits : undefined
}

/** "+1 (###) ###-####" (VIEW-033); any other text stays as it came. */
export function formatPhone(phone: string): string {
  const digits = usDigits(phone)
  return digits ? `+1 (${digits.slice(0, 3)}) ${digits.slice(3, 6)}-${digits.slice(6)}` : phone
}

/** North American numbering: neither the area code nor the exchange starts with 0 or 1. */
export function isValidUsPhone(phone: string): boolean {
  if (/[^\d\s().+-]/.test(phone)) return false
  const digits = usDigits(phone)
  return digits !== undefined && /^[2-9]\d{2}[2-9]\d{6}$/.test(digits)
}
