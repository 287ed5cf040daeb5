import { backgroundPart, lazyPart } from '#lib/parts/lazy-part.ts'

/** A sign-in link waits for it without a limit, because only this page holds the link. */
export const HandOverPage = backgroundPart(() => import('./hand-over/hand-over-page.tsx'), 'HandOverPage')
export const NoMerchantNotice = lazyPart(() => import('./no-merchant-notice.tsx'), 'NoMerchantNotice')
const twoStepParts = () => import('./two-step/two-step-parts.ts')
export const SetUpTwoStep = lazyPart(twoStepParts, 'SetUpTwoStep')
export const RecoveryCodes = lazyPart(twoStepParts, 'RecoveryCodes')
export const SecondStepNeeded = lazyPart(twoStepParts, 'SecondStepNeeded')
