import type { Permission } from '@cellarhand/contract/permissions'

interface SettingsLink {
  to:
    | '/settings/profile'
    | '/settings/company'
    | '/settings/alarms'
    | '/settings/users'
    | '/settings/billing'
    | '/settings/carrier'
    | '/settings/duties'
    | '/developers'
  label: string
  /** The link's words in the header's menu, if they differ. */
  menuLabel?: string
  needs?: Permission
}

/** All settings. The header's menu and the sub-navigation show those that the person may see. */
export const settingsLinks: readonly SettingsLink[] = [
  { to: '/settings/profile', label: 'Profile' },
  { to: '/settings/company', label: 'Company', needs: 'company.edit' },
  { to: '/settings/alarms', label: 'Alarms' },
  { to: '/settings/users', label: 'Users', needs: 'team.read' },
  { to: '/settings/billing', label: 'Billing', needs: 'billing.read' },
  { to: '/settings/carrier', label: 'Carrier Account', menuLabel: 'Carrier', needs: 'carrier.edit' },
  { to: '/settings/duties', label: 'Rules', needs: 'duties.decide' },
  { to: '/developers', label: 'Developers Information', menuLabel: 'Developer' },
]
