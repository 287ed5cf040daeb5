export { startWatch } from './start-watch.ts'
export { watchUpkeep } from './upkeep.ts'
