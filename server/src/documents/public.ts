export { drawZplLabel } from './zpl-label.ts'
export { drawLabels, drawLabelsOnLetter, type LabelParty } from './label.ts'
export {
  endOrders,
  failOrders,
  listDoubtful,
  listWaiting,
  markDoubtful,
  putBack,
  readBatch,
  type EndedOrder,
  type WaitingOrder,
} from './batch-orders.ts'
export { startBatch, type BatchOrderPayload } from './commands/start-batch.ts'
export { type BatchDesk } from './start-documents.ts'
