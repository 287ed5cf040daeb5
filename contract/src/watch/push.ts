import { Type } from 'typebox'
import { endpoint } from '../wire/endpoint.ts'
import { MerchantKey, nullable, object, ofMerchant, Timestamp } from '../wire/fields.ts'

/** Of one person. */
export const pushDevicesAtMost = 20

export const PushDevice = object({
  id: Type.String(),
  /** Browser and system, as the list of sessions names them. */
  name: nullable(Type.String()),
  /** The SHA-256 of its address in hexadecimal, by which a device finds itself in the list. */
  endpoint_digest: Type.String(),
  /** Whether late and nearly late orders are told too. */
  due_orders: Type.Boolean(),
  created_at: Timestamp,
})
export type PushDevice = Type.Static<typeof PushDevice>
const PushDevices = object({ devices: Type.Array(PushDevice) })

const DeviceId = Type.String({ minLength: 1, maxLength: 64, pattern: '^[a-z0-9-]+$' })

export const listPushDevices = endpoint({
  call: 'GET /m/v2/merchant/{tmk}/push',
  summary: "The caller's own devices that receive push messages. Ours",
  access: 'orders.read',
  params: ofMerchant,
  query: object({ device: Type.Optional(DeviceId) }),
  reply: object({
    devices: Type.Array(PushDevice),
    /** The device of the query has been removed because its push service no longer knows its address. */
    is_refused: Type.Optional(Type.Boolean()),
  }),
})
export const makePushKey = endpoint({
  call: 'PUT /m/v2/merchant/{tmk}/push/key',
  summary: "The public key of the shop's push messages (RFC 8292), made at the first use. Ours",
  access: 'orders.read',
  params: ofMerchant,
  reply: object({ public_key: Type.String() }),
})
export const savePushDevice = endpoint({
  call: 'PUT /m/v2/merchant/{tmk}/push/devices',
  summary: "Send the caller's push messages to this device (RFC 8030, 8291) until its session is ended. Ours",
  access: 'orders.read',
  params: ofMerchant,
  body: object({
    endpoint: Type.String({ minLength: 1, maxLength: 2000, pattern: '^[!-~]+$' }),
    keys: object({
      p256dh: Type.String({ pattern: '^[A-Za-z0-9_-]{87}$' }),
      auth: Type.String({ pattern: '^[A-Za-z0-9_-]{22}$' }),
    }),
    due_orders: Type.Boolean(),
  }),
  reply: PushDevices,
  refusals: ['too_much_at_once'],
})
export const removePushDevice = endpoint({
  call: 'DELETE /m/v2/merchant/{tmk}/push/devices/{device}',
  summary: "Send no more push messages to one of the caller's devices. Ours",
  access: 'orders.read',
  params: object({
    tmk: MerchantKey,
    device: DeviceId,
  }),
  reply: PushDevices,
})
