export const reportNames = { receipt: 'Receipt', packingslip: 'PackingSlip' } as const
export type ReportType = keyof typeof reportNames

/** "1000123-Smith-Receipt.pdf". Characters that break a file system or a shell become "_" (GAP-113). */
export function reportFileName(
  order: { readonly id: string; readonly customer: { readonly last_name: string } },
  type: ReportType,
): string {
  const lastName = order.customer.last_name
    .normalize('NFC')
    .trim()
    .replaceAll(/[^\p{L}\p{M}\p{N}'’ .-]/gu, '_')
  const [named = ''] = /[^ .](.*[^ .])?/su.exec(lastName) ?? []
  return `${order.id}-${[...named].slice(0, 60).join('')}-${reportNames[type]}.pdf`
}
