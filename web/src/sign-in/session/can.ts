import type { Permission } from '@cellarhand/contract/permissions'
import { hasPermission } from '@cellarhand/contract/permissions'
import { session } from './session.ts'

/** The signed-in person's permissions, for the screens. The server decides. */
export function useCan(): (permission: Permission) => boolean {
  session.use()
  return can
}

export function can(permission: Permission): boolean {
  return hasPermission(session.get().user?.roles.map(({ name }) => name) ?? [], permission)
}
