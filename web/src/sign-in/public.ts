export { note as noteAccountState } from './session/account-state.ts'
export { can, useCan } from './session/can.ts'
export { handOver, takeHandOver } from './hand-over/hand-over.ts'
export {
  HandOverPage,
  NoMerchantNotice,
  RecoveryCodes,
  SecondStepNeeded,
  SetUpTwoStep,
} from './lazy-parts.ts'
export { NoMerchantError, SecondStepNeededError, signedInRoute, signInRoutes } from './routes.tsx'
export { signInPage } from './session/page-load.ts'
export type { User } from './session/session.ts'
export {
  endSession,
  isMerchantMember,
  merchantKey,
  session,
  sessionKnown,
  setLacksSecondStep,
  signInAgain,
  startSession,
  updateUser,
  userKnown,
} from './session/session.ts'
export { signOut } from './session/sign-out.ts'
export { twoStepQuery } from './two-step/two-step-query.ts'
