export { chooseServices } from './choose-services.ts'
