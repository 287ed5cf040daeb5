export { useCan } from './can.ts'
export { handOver, takeHandOver } from './hand-over.ts'
export { NoMerchantNotice } from './no-merchant-notice.tsx'
export { HandOverPage, RecoveryCodes, SecondStepNeeded, SetUpTwoStep } from './lazy-parts.ts'
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
export { twoStepQuery } from './two-step-query.ts'
