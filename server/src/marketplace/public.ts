export { releaseEvents } from './commands/release-events.ts'
export { sendAgain } from './send-again.ts'
export { listGivenUp } from './reads.ts'
export { marketplaceUpkeep, webhooksPurpose } from './upkeep.ts'
