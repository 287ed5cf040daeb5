export { createMerchant, type NewMerchant } from './commands/create-merchant.ts'
export { createUser, type NewUser } from './commands/create-user.ts'
export { setOnboarded } from './commands/set-onboarded.ts'
export { setPassword } from './commands/set-password.ts'
