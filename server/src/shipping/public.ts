export { startShipping } from './start-shipping.ts'
