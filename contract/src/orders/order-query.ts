import { Type } from 'typebox'
import { object, Reference, text, UserId } from '../wire/fields.ts'
import { dueClasses } from './on-track.ts'
import { tabs } from './order-statuses.ts'

/** The query of a page. The searches exclude each other; the server writes `cursor` into next_url. */
export const OrderQuery = object({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
  offset: Type.Optional(Type.Integer({ minimum: 0, maximum: 100_000_000 })),
  cursor: Type.Optional(Type.String({ maxLength: 80, pattern: '^[ab]\\.[0-9]+\\.[0-9]+$' })),
  'filter[tab]': Type.Optional(Type.Enum(tabs)),
  'filter[application_ref]': Type.Optional(Type.String({ maxLength: 128, pattern: '^[!-~]+$' })),
  'filter[delivery_method]': Type.Optional(Type.String({ maxLength: 40, pattern: '^[a-z_]+$' })),
  'filter[order_key]': Type.Optional(Reference),
  'filter[status]': Type.Optional(
    Type.String({
      maxLength: 80,
      pattern:
        '^(new|printed|accepted|shipped|completed|rejected)(,(new|printed|accepted|shipped|completed|rejected))*$',
    }),
  ),
  'filter[needs_a_look]': Type.Optional(Type.Literal('true')),
  /** Ours, of the active tab alone: the late orders, or those that are soon due. Not beside `filter[needs_a_look]`. */
  'filter[due]': Type.Optional(Type.Enum(dueClasses)),
  /** The same as `filter[due]=late`. */
  'filter[late]': Type.Optional(Type.Literal('true')),
  /** The same as `filter[due]=soon`. */
  'filter[due_soon]': Type.Optional(Type.Literal('true')),
  /**
   * Ours, of the active tab alone: the orders that a clerk has taken, by the user's id, or `me` for the caller. Not
   * beside `filter[needs_a_look]` or `filter[due]`.
   */
  'filter[taken_by]': Type.Optional(UserId),
  /** Ours, of the active tab alone: the orders still in the shop whose packing slip is not printed. Beside no other of ours. */
  'filter[slip]': Type.Optional(Type.Literal('missing')),
  'filter[search]': Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  'filter[recipient_name]': Type.Optional(text(100)),
  'filter[customer_email]': Type.Optional(text(254)),
  'sort[date]': Type.Optional(Type.Enum(['asc', 'desc'])),
  /** Ours, of the active tab alone: the order that is due first comes first. */
  'sort[due]': Type.Optional(Type.Literal('asc')),
  /** The same as `sort[due]=asc`. */
  sort: Type.Optional(Type.Literal('due')),
})
export type OrderQuery = Type.Static<typeof OrderQuery>
