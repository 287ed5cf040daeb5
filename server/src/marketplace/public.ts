export { sendAgain } from './commands/send-again.ts'
export { listGivenUp } from './reads.ts'
