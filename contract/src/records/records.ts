import { Type } from 'typebox'
import { endpoint } from '../wire/endpoint.ts'
import {
  Count,
  Day,
  idempotencyKey,
  MerchantKey,
  nullable,
  object,
  ofMerchant,
  Timestamp,
} from '../wire/fields.ts'

const InspectorFile = object({
  id: Type.String(),
  from: Day,
  to: Day,
  requested_by: Type.String(),
  requested_at: Timestamp,
  /** The sales written so far. */
  sales: Count,
  is_finished: Type.Boolean(),
  /** Why there is no file. */
  problem: nullable(Type.String()),
  /** A link that works for one hour; null until the file is made, and after a day. */
  url: nullable(Type.String()),
})

const InspectorFiles = object({ files: Type.Array(InspectorFile) })
export type InspectorFiles = Type.Static<typeof InspectorFiles>

export const makeInspectorFile = endpoint({
  call: 'POST /m/v2/merchant/{tmk}/inspector_files',
  summary:
    'Make the file for an inspector: the sales of some days with their ID checks, refusals, signatures, couriers’ proofs and overrides, and the rules in force',
  access: 'duties.decide',
  params: ofMerchant,
  body: object({ from: Day, to: Day }),
  reply: InspectorFiles,
  status: 202,
  refusals: ['too_much_at_once'],
  headers: idempotencyKey,
})
export const listInspectorFiles = endpoint({
  call: 'GET /m/v2/merchant/{tmk}/inspector_files',
  summary: 'The newest files for inspectors, and how far each one is',
  access: 'duties.decide',
  params: ofMerchant,
  reply: InspectorFiles,
})
export const downloadInspectorFile = endpoint({
  call: 'GET /m/v2/merchant/{tmk}/inspector_files/{id}',
  summary: 'A file for an inspector (ZIP) by its signed link, valid for one hour',
  access: 'signed-link',
  params: object({ tmk: MerchantKey, id: Type.String({ maxLength: 64, pattern: '^[a-z0-9-]+$' }) }),
  query: object({ exp: Type.String({ maxLength: 20 }), sig: Type.String({ maxLength: 128 }) }),
  reply: Type.String(),
  media: 'application/zip',
  refusals: ['bad_signature'],
})
