import { Type } from 'typebox'
import { endpoint } from '../wire/endpoint.ts'
import {
  Count,
  filledText,
  idempotencyKey,
  MerchantKey,
  object,
  ofMerchant,
  ofMerchantOrder,
  OrderId,
  Timestamp,
} from '../wire/fields.ts'

export const noteLength = 1_000
/** Of one order, and of the store. */
export const notesAtMost = 50

export const Note = object({
  id: Type.String(),
  text: Type.String(),
  author: Type.String(),
  at: Timestamp,
  /** Whether the caller may delete it: its author, managers and owners may. */
  can_delete: Type.Boolean(),
})
export type Note = Type.Static<typeof Note>

/** The newest first. */
export const Notes = object({ notes: Type.Array(Note, { maxItems: notesAtMost }) })
export type Notes = Type.Static<typeof Notes>

/** The most orders that one call asks about. */
export const notedAtMost = 100

/** Of an order with notes: how many, and the newest. */
export const NotedOrder = object({
  id: OrderId,
  count: Count,
  newest: object({ text: Type.String(), author: Type.String(), at: Timestamp }),
})
export type NotedOrder = Type.Static<typeof NotedOrder>

const NewNote = object({ text: filledText(noteLength) })
const noteId = Type.String({ minLength: 1, maxLength: 64, pattern: '^[a-z0-9-]+$' })

export const listOrderNotes = endpoint({
  call: 'GET /m/v2/merchant/{tmk}/orders/{id}/notes',
  summary: "The shop's own notes on an order. The marketplace never receives them",
  access: 'orders.read',
  params: ofMerchantOrder,
  reply: Notes,
})
export const addOrderNote = endpoint({
  call: 'POST /m/v2/merchant/{tmk}/orders/{id}/notes',
  summary: 'Add a note to an order',
  access: 'orders.fulfil',
  params: ofMerchantOrder,
  body: NewNote,
  reply: Notes,
  status: 201,
  refusals: ['too_many_notes'],
  headers: idempotencyKey,
})
export const deleteOrderNote = endpoint({
  call: 'DELETE /m/v2/merchant/{tmk}/orders/{id}/notes/{note}',
  summary: 'Delete a note for good: its author may, and managers and owners',
  access: 'orders.fulfil',
  params: object({ tmk: MerchantKey, id: OrderId, note: noteId }),
  reply: Notes,
  refusals: ['note_of_another'],
  headers: idempotencyKey,
})
export const listShiftNotes = endpoint({
  call: 'GET /m/v2/merchant/{tmk}/notes',
  summary: "The store's notes from shift to shift",
  access: 'orders.read',
  params: ofMerchant,
  reply: Notes,
})
export const addShiftNote = endpoint({
  call: 'POST /m/v2/merchant/{tmk}/notes',
  summary: 'Leave a note for the next shift',
  access: 'orders.fulfil',
  params: ofMerchant,
  body: NewNote,
  reply: Notes,
  status: 201,
  refusals: ['too_many_notes'],
  headers: idempotencyKey,
})
export const deleteShiftNote = endpoint({
  call: 'DELETE /m/v2/merchant/{tmk}/notes/{note}',
  summary: 'Delete a note of the store for good: its author may, and managers and owners',
  access: 'orders.fulfil',
  params: object({ tmk: MerchantKey, note: noteId }),
  reply: Notes,
  refusals: ['note_of_another'],
  headers: idempotencyKey,
})
export const listNewestNotes = endpoint({
  call: 'GET /m/v2/merchant/{tmk}/orders/notes',
  summary:
    'Of several orders those that have notes, with the newest one. The marketplace never receives them',
  access: 'orders.read',
  params: ofMerchant,
  query: object({
    orders: Type.String({
      maxLength: notedAtMost * 19,
      // `notedAtMost` of them.
      pattern: '^[0-9]{1,18}(,[0-9]{1,18}){0,99}$',
      description: 'Order numbers with commas between them',
    }),
  }),
  reply: object({ orders: Type.Array(NotedOrder, { maxItems: notedAtMost }) }),
})
