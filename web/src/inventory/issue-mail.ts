import { config } from '#lib/calls/config.ts'
import type { OfferingRow } from './offering-rows.ts'

/** A prepared mail to the support desk for a person who reports an issue (INV-015, GAP-173). */
export function issueMail({ merchantName, tpk }: Pick<OfferingRow, 'merchantName' | 'tpk'>): string {
  const product = tpk || 'unknown'
  const subject = `Inventory issue: ${merchantName} - ${product}`
  const body = [
    `Merchant: ${merchantName}`,
    `TPK: ${product}`,
    '',
    'Please describe the issue:',
    '',
    '',
    'Desired outcome:',
    '',
  ].join('\r\n')
  return `mailto:${config.supportEmail}?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(body)}`
}
