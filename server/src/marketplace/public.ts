export { releaseEvents } from './commands/release-events.ts'
export { listGivenUp } from './reads.ts'
export { marketplaceUpkeep, webhooksPurpose } from './upkeep.ts'
