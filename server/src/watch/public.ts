export { pushDueOrders } from './push/promise-push.ts'
export { startWatch } from './start-watch.ts'
export { watchUpkeep } from './upkeep.ts'
