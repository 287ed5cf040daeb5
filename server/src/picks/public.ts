export { picksUpkeep } from './upkeep.ts'
