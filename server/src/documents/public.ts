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
export { startBatch, type BatchOrderPayload } from './batches/start-batch.ts'
export { type BatchDesk } from './start-documents.ts'
/** Loaded with the first label that is drawn here: the libraries for PDF and barcodes take 60 MB. */
export const loadLabels = async () => import('./papers/label.ts')
export { documentsUpkeep, endedByRestore } from './upkeep.ts'
