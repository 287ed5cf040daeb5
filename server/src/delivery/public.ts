export { chooseServices } from './choose-services.ts'
export { deliveryUpkeep } from './upkeep.ts'
