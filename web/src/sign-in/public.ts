export { useCan } from './can.ts'
export { NoMerchantNotice } from './no-merchant-notice.tsx'
export { NoMerchantError, signedInRoute, signInRoutes } from './routes.tsx'
export type { User } from './session.ts'
export {
  endSession,
  isMerchantMember,
  merchantKey,
  session,
  sessionKnown,
  signInAgain,
  signOut,
  updateUser,
  userKnown,
} from './session.ts'
export { takeHandOver } from './take-hand-over.ts'
