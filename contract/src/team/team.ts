import { Type } from 'typebox'
import { endpoint } from '../wire/endpoint.ts'
import {
  Count,
  Empty,
  MerchantKey,
  nullable,
  object,
  ofMerchant,
  ofUser,
  text,
  UserId,
} from '../wire/fields.ts'
import { Role, User } from '../sign-in/sign-in.ts'
import { merchantRoles } from './permissions.ts'

/**
 * A user of the team. Ours, beside the specified fields: an invited user who has no password yet, or has an account and
 * has not joined yet, is marked as such.
 */
const TeamUser = object({
  ...User.properties,
  invitation_pending: Type.Boolean(),
  /** Why the invitation did not arrive, in the mail server's words; null when nobody knows of a problem. */
  invitation_problem: nullable(Type.String()),
})
const ofTeamUser = object({ tmk: MerchantKey, id: UserId })

const MerchantRoleName = Type.Enum([...merchantRoles])
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
  reply: object({ items: Type.Array(TeamUser), total_rows: Count }),
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
  refusals: ['email_exists', 'too_many_requests', 'public_url_missing'],
})
export const resendInvitation = endpoint({
  call: 'POST /c/v2/merchants/{tmk}/users/{id}/invitation',
  summary: 'Mail the invitation again; the earlier link ends',
  access: 'team.edit',
  params: ofTeamUser,
  body: Type.Optional(Empty),
  reply: TeamUser,
  refusals: ['self_edit', 'invitation_accepted', 'email_exists', 'too_many_requests', 'public_url_missing'],
})
export const withdrawInvitation = endpoint({
  call: 'DELETE /c/v2/merchants/{tmk}/users/{id}/invitation',
  summary: 'Take back an invitation that was not accepted yet',
  access: 'team.edit',
  params: ofTeamUser,
  reply: Empty,
  refusals: ['self_edit', 'invitation_accepted', 'last_owner'],
})

const link = object({ token: { ...text(2000), description: 'The last part of the mailed link.' } })
export const readInvitation = endpoint({
  call: 'POST /a/v2/accounts/invitation',
  summary: 'Which merchant asks, with the token of a mailed invitation. Nothing changes',
  access: 'public',
  body: link,
  reply: object({
    merchant: object({ id: MerchantKey, name: Type.String() }),
    email: Type.String(),
    roles: Type.Array(Role),
  }),
  refusals: ['bad_invitation', 'invitation_expired'],
})
export const joinTeam = endpoint({
  call: 'POST /a/v2/accounts/invitation/acceptance',
  summary: "Join the merchant that asks, with the token of a mailed invitation. The account's password stays",
  access: 'public',
  body: link,
  reply: Empty,
  refusals: ['bad_invitation', 'invitation_expired', 'has_merchant'],
})

const Requirement = object({ is_required: Type.Boolean() })
export const getTwoStepRequirement = endpoint({
  call: 'GET /c/v2/merchants/{tmk}/two_step',
  summary: 'Whether everybody in the merchant has to sign in in two steps',
  access: 'team.read',
  params: ofMerchant,
  reply: Requirement,
})
export const requireTwoStep = endpoint({
  call: 'POST /c/v2/merchants/{tmk}/two_step',
  summary: 'Require two-step sign-in of everybody in the merchant, or no longer',
  access: 'team.edit',
  params: ofMerchant,
  body: Requirement,
  reply: Requirement,
  refusals: ['two_step_off'],
})
