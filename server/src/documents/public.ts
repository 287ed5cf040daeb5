export { drawZplLabel } from './papers/zpl-label.ts'
export type { LabelParty } from './papers/label.ts'
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
export type { Press } from './papers/paper-tasks.ts'
export { addressLinesOf } from './papers/printed-order.ts'
export type { Report } from './papers/report.ts'
export { openPress } from './start-documents.ts'
export { startBatch, type BatchOrderPayload } from './batches/start-batch.ts'
export { type BatchDesk } from './start-documents.ts'
/** Loaded with the first label that is drawn here: the libraries for PDF and barcodes take 60 MB. */
export const loadLabels = async () => import('./papers/label.ts')
export { documentsUpkeep, endedByRestore } from './upkeep.ts'
