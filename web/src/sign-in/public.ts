export { useCan } from './can.ts'
export { NoMerchantNotice } from './no-merchant-notice.tsx'
export { RecoveryCodes, SecondStepNeeded, SetUpTwoStep } from './lazy-parts.ts'
export { NoMerchantError, SecondStepNeededError, signedInRoute, signInRoutes } from './routes.tsx'
export type { User } from './session.ts'
export {
  endSession,
  isMerchantMember,
  merchantKey,
  session,
  sessionKnown,
  setLacksSecondStep,
  signInAgain,
  signOut,
  updateUser,
  userKnown,
} from './session.ts'
export { takeHandOver } from './take-hand-over.ts'
export { twoStepQuery } from './two-step-query.ts'
