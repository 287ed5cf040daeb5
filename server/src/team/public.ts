export { teamUpkeep } from './upkeep.ts'
