export { NoMerchantNotice } from './no-merchant-notice.tsx'
export { NoMerchantError, signedInRoute, signInRoutes } from './routes.tsx'
export { endSession, merchantKey, session, signOut } from './session.ts'
export { takeHandOver } from './take-hand-over.ts'
