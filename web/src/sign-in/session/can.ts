import type { Permission } from '@cellarhand/contract/permissions'
import { hasPermission } from '@cellarhand/contract/permissions'
import { session } from './session.ts'

/** The signed-in person's permissions, for the screens. The server decides. */
export function useCan(): (permission: Permission) => boolean {
  const roles = session.use().user?.roles.map(({ name }) => name) ?? []
  return (permission) => hasPermission(roles, permission)
}
