export { releaseEvents } from './commands/release-events.ts'
export { listGivenUp } from './reads.ts'
