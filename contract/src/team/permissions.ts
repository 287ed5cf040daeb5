/** The three roles a merchant's staff can hold, weakest first. */
export const merchantRoles = ['merch.user', 'merch.manager', 'merch.owner'] as const
export type MerchantRole = (typeof merchantRoles)[number]

/** The weakest merchant role that holds each permission (GAP-163). */
export const leastRole = {
  'orders.read': 'merch.user',
  'orders.fulfil': 'merch.user',
  'inventory.read': 'merch.user',
  'merchant.read': 'merch.user',
  'directions.send': 'merch.user',
  'carrier.read': 'merch.user',
  'company.edit': 'merch.manager',
  'carrier.edit': 'merch.manager',
  'team.read': 'merch.manager',
  'clerks.compare': 'merch.manager',
  'team.edit': 'merch.owner',
  'duties.decide': 'merch.owner',
  'billing.read': 'merch.owner',
  'billing.edit': 'merch.owner',
} as const satisfies Record<string, MerchantRole>

export type Permission = keyof typeof leastRole

/** Only a merchant's roles count; the highest of them decides. */
export function highestMerchantRole(roleNames: readonly string[]): MerchantRole | undefined {
  return merchantRoles.findLast((role) => roleNames.includes(role))
}

export function hasPermission(roleNames: readonly string[], permission: Permission): boolean {
  const role = highestMerchantRole(roleNames)
  return role !== undefined && merchantRoles.indexOf(role) >= merchantRoles.indexOf(leastRole[permission])
}
