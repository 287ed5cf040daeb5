import * as billing from '../merchants/billing.ts'
import * as content from '../merchants/content.ts'
import * as delivery from '../delivery/delivery.ts'
import * as demo from '../merchants/demo.ts'
import * as documents from '../documents/documents.ts'
import * as insights from '../merchants/insights.ts'
import * as inventory from '../merchants/inventory.ts'
import * as live from '../orders/live.ts'
import * as mail from '../merchants/mail.ts'
import * as marketplace from '../merchants/marketplace.ts'
import * as merchants from '../merchants/merchants.ts'
import * as orders from '../orders/orders.ts'
import * as shipping from '../shipping/shipping.ts'
import * as signIn from '../people/sign-in.ts'
import * as team from '../people/team.ts'
import * as twoStep from '../people/two-step.ts'
import type { Endpoint } from './endpoint.ts'

const modules = {
  ...signIn,
  ...team,
  ...twoStep,
  ...merchants,
  ...billing,
  ...inventory,
  ...orders,
  ...live,
  ...delivery,
  ...shipping,
  ...documents,
  ...mail,
  ...marketplace,
  ...content,
  ...insights,
  ...demo,
}

const groups = {
  'Sign-in and profile': { ...signIn, ...twoStep },
  Team: team,
  Merchant: merchants,
  Billing: billing,
  Inventory: inventory,
  Orders: orders,
  'Alarms and presence': live,
  Delivery: delivery,
  Shipping: shipping,
  Documents: documents,
  Marketplace: marketplace,
  Mail: mail,
  Content: content,
  'The server': insights,
  'Demo only': demo,
}

function isEndpoint(value: unknown): value is Endpoint {
  return typeof value === 'object' && value !== null && 'call' in value && 'access' in value
}

/** The calls, grouped as in the documentation. */
export const endpointGroups: readonly { name: string; endpoints: readonly Endpoint[] }[] = Object.entries(
  groups,
).map(([name, group]) => ({ name, endpoints: (Object.values(group) as unknown[]).filter(isEndpoint) }))

/** Every call of the wire contract. The server refuses to start with a route outside of it. */
export const endpoints: readonly Endpoint[] = (Object.values(modules) as unknown[]).filter(isEndpoint)

export type EndpointOf = (typeof modules)[keyof typeof modules]
