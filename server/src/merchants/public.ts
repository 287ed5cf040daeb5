export { createMerchant, type NewMerchant } from './commands/create-merchant.ts'
export { setOnboarded } from './commands/set-onboarded.ts'
export { keepPaymentAccount, recordPaymentStatus } from './commands/record-payment-status.ts'
export type { ServiceInUse } from './outside-services.ts'
