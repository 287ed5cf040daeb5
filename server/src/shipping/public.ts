export { chooseShippingProvider, startShipping } from './start-shipping.ts'
