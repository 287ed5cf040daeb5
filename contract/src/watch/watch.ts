import { Type } from 'typebox'
import { endpoint } from '../wire/endpoint.ts'
import { Count, nullable, object, ofMerchant, ScreenId, text, Timestamp, UserId } from '../wire/fields.ts'

/** After so long without a watching screen somebody is told, and after as long again the owner. */
export const unwatchedMinutes = 5

export const tellingWays = ['mail', 'text'] as const

const Telling = object({
  user_id: UserId,
  by: Type.Enum([...tellingWays]),
  /** For a text message. */
  phone: nullable(text(32)),
})
export type Telling = Type.Static<typeof Telling>

const settings = {
  is_on: Type.Boolean(),
  /** The person on duty, who is told first. */
  duty: nullable(Telling),
  /** The owner who is told next. */
  owner: nullable(Telling),
}
const WatchSettings = object(settings)
export type WatchSettings = Type.Static<typeof WatchSettings>

const Watch = object({
  ...settings,
  people: Type.Array(object({ id: UserId, name: Type.String(), is_owner: Type.Boolean() })),
  /** How many screens of the shop are live and awake now. */
  screens: Count,
  told_at: nullable(Timestamp),
})
export type Watch = Type.Static<typeof Watch>

export const getWatch = endpoint({
  call: 'GET /m/v2/merchant/{tmk}/watch',
  summary:
    'The people who are told when new orders wait and no screen of the shop watches, and how many watch now',
  access: 'company.edit',
  params: ofMerchant,
  reply: Watch,
})
export const updateWatch = endpoint({
  call: 'PUT /m/v2/merchant/{tmk}/watch',
  summary: 'Save the people who are told when no screen of the shop watches',
  access: 'company.edit',
  params: ofMerchant,
  body: WatchSettings,
  reply: Watch,
})

export const screenKinds = ['desk', 'wall'] as const
export type ScreenKind = (typeof screenKinds)[number]

export const reportScreen = endpoint({
  call: 'PUT /m/v2/merchant/{tmk}/watch/screen',
  summary: 'Say that a screen is live and awake: it receives the event stream, is visible, and draws',
  access: 'orders.read',
  params: ofMerchant,
  body: object({ screen: ScreenId, kind: Type.Enum([...screenKinds]) }),
  reply: object({ renew_within_ms: Count }),
})
