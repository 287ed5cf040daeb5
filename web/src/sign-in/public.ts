export { NoMerchantNotice } from './no-merchant-notice.tsx'
export { NoMerchantError, signedInRoute, signInRoute } from './routes.tsx'
export { endSession, merchantKey, session, signOut } from './session.ts'
export { takeHandOver } from './take-hand-over.ts'
