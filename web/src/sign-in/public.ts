export { useCan } from './can.ts'
export { handOver, takeHandOver } from './hand-over.ts'
export { HandOverPage } from './hand-over-page.tsx'
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
export { twoStepQuery } from './two-step-query.ts'
