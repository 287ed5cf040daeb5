export { startSubstitutes } from './start-substitutes.ts'
export { substitutesUpkeep } from './upkeep.ts'
