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
/** An absent field stays as it is: a clerk may have taken the duty since the settings were read. */
const WatchSettings = object({
  is_on: Type.Optional(settings.is_on),
  duty: Type.Optional(settings.duty),
  owner: Type.Optional(settings.owner),
})
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
  summary:
    'Save the people who are told when no screen of the shop watches; a field that is absent stays as it is',
  access: 'company.edit',
  params: ofMerchant,
  body: WatchSettings,
  reply: Watch,
})

const OnDuty = object({
  is_on: Type.Boolean(),
  /** Null while nobody is on duty: then an owner is told at once. `by` is for the person's own eyes. */
  person: nullable(
    object({ name: Type.String(), is_self: Type.Boolean(), by: nullable(Type.Enum([...tellingWays])) }),
  ),
})
export type OnDuty = Type.Static<typeof OnDuty>

const DutyWish = object({
  by: Type.Enum([...tellingWays]),
  /** For a text message. */
  phone: nullable(text(32)),
})
export type DutyWish = Type.Static<typeof DutyWish>

export const getOnDuty = endpoint({
  call: 'GET /m/v2/merchant/{tmk}/watch/duty',
  summary: 'The name of the person on duty, who is told first when no screen of the shop watches',
  access: 'orders.read',
  params: ofMerchant,
  reply: OnDuty,
})
export const takeDuty = endpoint({
  call: 'PUT /m/v2/merchant/{tmk}/watch/duty',
  summary: 'The caller takes the duty: is told first when no screen of the shop watches, by mail or by text',
  access: 'orders.fulfil',
  params: ofMerchant,
  body: DutyWish,
  reply: OnDuty,
  refusals: ['watch_off'],
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
