import { backgroundPart, lazyPart } from '#lib/parts/lazy-part.ts'

/** A sign-in link waits for it without a limit, because only this page holds the link. */
export const HandOverPage = backgroundPart(() => import('./hand-over/hand-over-page.tsx'), 'HandOverPage')
export const SetUpTwoStep = lazyPart(() => import('./two-step/set-up-two-step.tsx'), 'SetUpTwoStep')
export const RecoveryCodes = lazyPart(() => import('./two-step/recovery-codes.tsx'), 'RecoveryCodes')
export const SecondStepNeeded = lazyPart(
  () => import('./two-step/second-step-needed.tsx'),
  'SecondStepNeeded',
)
