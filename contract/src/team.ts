import { Type } from 'typebox'
import { endpoint } from './endpoint.ts'
import { Count, object, ofMerchant, ofUser, text } from './fields.ts'
import { Role, User } from './sign-in.ts'

const MerchantRoleName = Type.Enum(['merch.user', 'merch.manager', 'merch.owner'])
const RoleNames = Type.Array(MerchantRoleName, { minItems: 1, maxItems: 3 })

export const listRoles = endpoint({
  call: 'GET /a/v2/users/{id}/roles',
  summary: 'Roles of a user',
  access: 'self or team.read',
  params: ofUser,
  reply: object({ roles: Type.Array(Role) }),
})
export const changeRoles = endpoint({
  call: 'POST /a/v2/users/{id}/roles',
  summary: "Replace a colleague's merchant roles",
  access: 'team.edit',
  params: ofUser,
  body: object({ roles: RoleNames }),
  reply: object({ roles: Type.Array(Role) }),
  refusals: ['self_edit', 'last_owner'],
})
export const revokeAccess = endpoint({
  call: 'POST /a/v2/users/{id}/data',
  summary: "End a colleague's access to the merchant",
  access: 'team.edit',
  params: ofUser,
  body: object({ authorized_merchant: Type.Null() }),
  reply: User,
  refusals: ['self_edit', 'last_owner'],
})
export const listTeam = endpoint({
  call: 'GET /c/v2/merchants/{tmk}/users',
  summary: "The merchant's users",
  access: 'team.read',
  params: ofMerchant,
  reply: object({ items: Type.Array(User), total_rows: Count }),
})
export const inviteUser = endpoint({
  call: 'POST /c/v2/merchants/{tmk}/users',
  summary: 'Invite a colleague by e-mail',
  access: 'team.edit',
  params: ofMerchant,
  body: object({
    email: text(254),
    first_name: text(100),
    last_name: text(100),
    roles: RoleNames,
  }),
  reply: User,
  status: 201,
  refusals: ['email_exists'],
})
