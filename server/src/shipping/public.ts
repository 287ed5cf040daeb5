export { chooseShippingProvider, startShipping } from './start-shipping.ts'
export { shippingUpkeep } from './upkeep.ts'
