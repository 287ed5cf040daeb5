import * as billing from './billing.ts'
import * as content from './content.ts'
import * as delivery from './delivery.ts'
import * as demo from './demo.ts'
import * as documents from './documents.ts'
import * as insights from './insights.ts'
import * as inventory from './inventory.ts'
import * as live from './live.ts'
import * as mail from './mail.ts'
import * as marketplace from './marketplace.ts'
import * as merchants from './merchants.ts'
import * as orders from './orders.ts'
import * as shipping from './shipping.ts'
import * as signIn from './sign-in.ts'
import * as team from './team.ts'
import * as twoStep from './two-step.ts'
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

/** The calls in the groups that the documentation shows them in. */
export const endpointGroups: readonly { name: string; endpoints: readonly Endpoint[] }[] = Object.entries(
  groups,
).map(([name, group]) => ({ name, endpoints: (Object.values(group) as unknown[]).filter(isEndpoint) }))

/** Every call of the wire contract. A route outside of it stops the server from starting. */
export const endpoints: readonly Endpoint[] = (Object.values(modules) as unknown[]).filter(isEndpoint)

export type EndpointOf = (typeof modules)[keyof typeof modules]
