import { Type } from 'typebox'
import { endpoint } from '../wire/endpoint.ts'
import { filledText, idempotencyKey, MerchantKey, object, ofMerchant } from '../wire/fields.ts'
import { dueClasses } from '../orders/on-track.ts'
import { tabs } from '../orders/order-statuses.ts'

/** Private ones of a person, and shared ones of a shop. */
export const viewsAtMost = 50
export const viewNameLength = 60

/** A list's tab, filters and sort, as its address has them. */
export const ViewSearch = object({
  tab: Type.Enum(tabs),
  sort: Type.Optional(Type.Enum(['asc', 'desc', 'due'])),
  status: Type.Optional(Type.String({ maxLength: 80, pattern: '^[a-z,]+$' })),
  method: Type.Optional(Type.String({ maxLength: 40, pattern: '^[a-z_]+$' })),
  brand: Type.Optional(Type.String({ maxLength: 128, pattern: '^[!-~]+$' })),
  needs_a_look: Type.Optional(Type.Literal('1')),
  due: Type.Optional(Type.Enum(dueClasses)),
  /** The orders of the person who opens the view. */
  mine: Type.Optional(Type.Literal('yes')),
})
export type ViewSearch = Type.Static<typeof ViewSearch>

export const SavedView = object({
  id: Type.String(),
  name: Type.String(),
  search: ViewSearch,
  /** Whether the team sees it, or its maker alone. */
  is_shared: Type.Boolean(),
  maker: Type.String(),
  /** Its maker may rename and remove it; of a shared one managers and owners may too. */
  can_change: Type.Boolean(),
})
export type SavedView = Type.Static<typeof SavedView>
/** By name. */
export const SavedViews = object({ views: Type.Array(SavedView) })
export type SavedViews = Type.Static<typeof SavedViews>

const viewName = filledText(viewNameLength)
const ofView = object({
  tmk: MerchantKey,
  view: Type.String({ minLength: 1, maxLength: 64, pattern: '^[a-z0-9-]+$' }),
})

export const listViews = endpoint({
  call: 'GET /m/v2/merchant/{tmk}/views',
  summary: "The caller's saved views of the order list, and those that the team shares. Ours",
  access: 'orders.read',
  params: ofMerchant,
  reply: SavedViews,
})
export const saveView = endpoint({
  call: 'POST /m/v2/merchant/{tmk}/views',
  summary: 'Save a view of the order list under a name. Ours',
  access: 'orders.read',
  params: ofMerchant,
  body: object({
    name: viewName,
    search: ViewSearch,
    is_shared: Type.Boolean(),
    /** Takes the place of the view with this name: of the caller's private one, or the shared one if the caller may change it. */
    replaces: Type.Optional(Type.Boolean()),
  }),
  reply: SavedViews,
  status: 201,
  refusals: ['too_many_views', 'view_name_taken', 'view_of_another'],
  headers: idempotencyKey,
})
export const changeView = endpoint({
  call: 'PUT /m/v2/merchant/{tmk}/views/{view}',
  summary: 'Give a saved view another name. Ours',
  access: 'orders.read',
  params: ofView,
  body: object({ name: viewName }),
  reply: SavedViews,
  refusals: ['view_name_taken', 'view_of_another'],
  headers: idempotencyKey,
})
export const removeView = endpoint({
  call: 'DELETE /m/v2/merchant/{tmk}/views/{view}',
  summary: 'Remove a saved view. Ours',
  access: 'orders.read',
  params: ofView,
  reply: SavedViews,
  refusals: ['view_of_another'],
  headers: idempotencyKey,
})
