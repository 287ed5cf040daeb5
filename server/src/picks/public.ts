export { notePicks } from './commands/note-picks.ts'
export { picksUpkeep } from './upkeep.ts'
