import { Type } from 'typebox'
import { bulkLimit } from './bulk.ts'
import { paperFormats } from './paper-formats.ts'
import { endpoint } from '../wire/endpoint.ts'
import {
  Count,
  idempotencyKey,
  MerchantKey,
  nullable,
  object,
  ofMerchant,
  ofMerchantOrder,
  OrderId,
  ours,
  Reference,
} from '../wire/fields.ts'

const Batch = object({
  batch_id: Type.String(),
  total_count: Count,
  completed_count: Count,
  error_count: Count,
  batch_pdf_urls: object({
    download: nullable(Type.String()),
    packingslip: nullable(Type.String()),
    receipt: nullable(Type.String()),
    labels: ours(nullable(Type.String())),
  }),
  /** The orders that failed so far, and why. */
  failed: ours(Type.Array(object({ id: Type.String(), message: Type.String() }))),
  /** The orders of which nobody knows yet: a purchase's answer was lost, and the carrier is asked. */
  in_doubt: ours(Type.Array(Type.String())),
})
/** Letter, unless another one is named. */
const paper = Type.Optional(Type.Enum([...paperFormats]))
const onPaper = object({ paper })
export const BatchStarted = object({ batch_id: Type.String() })

export const printPackingSlip = endpoint({
  call: 'GET /m/v2/merchant/{tmk}/orders/{id}/reports/packingslip',
  summary: 'Packing slip; the first one marks the order as printed',
  access: 'orders.fulfil',
  params: ofMerchantOrder,
  query: onPaper,
  reply: Type.String(),
  media: 'application/pdf',
})
export const printReceipt = endpoint({
  call: 'GET /m/v2/merchant/{tmk}/orders/{id}/reports/receipt',
  summary: 'Receipt',
  access: 'orders.read',
  params: ofMerchantOrder,
  query: onPaper,
  reply: Type.String(),
  media: 'application/pdf',
  refusals: ['receipt_not_available'],
})
export const exportDetails = endpoint({
  call: 'POST /m/v2/merchant/{tmk}/orders/bulk/details',
  summary: 'Export the details of up to 200 orders as CSV',
  access: 'orders.read',
  params: ofMerchant,
  body: object({ items: Type.Array(OrderId, { minItems: 1, maxItems: bulkLimit }) }),
  reply: BatchStarted,
  status: 202,
  headers: idempotencyKey,
})
export const printReports = endpoint({
  call: 'POST /m/v2/merchant/{tmk}/orders/bulk/reports',
  summary: 'Print slips and receipts of up to 200 orders',
  access: 'orders.fulfil',
  params: ofMerchant,
  body: object({
    order_keys: Type.Array(Reference, { minItems: 1, maxItems: bulkLimit }),
    report_types: Type.Array(Type.Enum(['receipt', 'packingslip']), {
      minItems: 1,
      maxItems: 2,
    }),
    paper,
  }),
  reply: BatchStarted,
  status: 202,
  headers: idempotencyKey,
})
export const getBatch = endpoint({
  call: 'GET /m/v2/merchant/{tmk}/orders/bulk/{batch_id}',
  summary: 'How far a batch is, and its files',
  access: 'orders.read',
  params: object({ tmk: MerchantKey, batch_id: Type.String({ maxLength: 64, pattern: '^[A-Za-z0-9_-]+$' }) }),
  reply: Batch,
})
export const downloadFile = endpoint({
  call: 'GET /m/v2/files/{name}',
  summary: 'A file by its signed link, valid for one hour; 302 to the object store where there is one',
  access: 'signed-link',
  params: object({ name: Type.String({ maxLength: 200, pattern: '^[A-Za-z0-9._-]+$' }) }),
  query: object({ exp: Type.String({ maxLength: 20 }), sig: Type.String({ maxLength: 128 }) }),
  reply: Type.String(),
  media: '*/*',
  refusals: ['bad_signature'],
})
