export { addressBudget } from './limits/address-budget.ts'
export { withinInvitationLimit } from './limits/invitation-limit.ts'
export { hashPassword, isPassword } from './users/passwords.ts'
export { resetSecondStep } from './second-step/reset-second-step.ts'
export { createAuthenticate } from './authenticate.ts'
export {
  createUser,
  insertUser,
  userProblems,
  type InvitedUser,
  type NewUser,
} from './accounts/create-user.ts'
export { promiseInvitation } from './accounts/invite.ts'
export { deleteUser, joinMerchant, leaveMerchant, replaceMerchantRoles } from './accounts/membership.ts'
export { setPassword } from './accounts/set-password.ts'
export { joinLetter } from './users/letters.ts'
export { findEndedSessions } from './reads.ts'
export { lockOwnAccount } from './users/locked-user.ts'
export { hashOf, newToken } from './users/one-time-tokens.ts'
export { createTokens } from './sessions/tokens.ts'
export { emailKey, toColleague, userColumns, type UserRow } from './users/user-record.ts'
export { signInUpkeep, twoStepPurpose } from './upkeep.ts'
