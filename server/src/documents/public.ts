export { drawZplLabel } from './papers/zpl-label.ts'
export { drawLabelPicture, drawLabels, drawLabelsOnLetter, type LabelParty } from './papers/label.ts'
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
} from './batches/batch-orders.ts'
export { startBatch, type BatchOrderPayload } from './batches/start-batch.ts'
export { type BatchDesk } from './start-documents.ts'
export { documentsUpkeep, endedByRestore } from './upkeep.ts'
