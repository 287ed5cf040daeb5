export { hashPassword } from './passwords.ts'
export { findEndedSessions, findPerson } from './reads.ts'
export { createTokens, type Tokens } from './tokens.ts'
export { emailKey } from './user-record.ts'
