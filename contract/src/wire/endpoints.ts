import * as billing from '../billing/billing.ts'
import * as content from '../content/content.ts'
import * as courierChecks from '../delivery/courier-checks.ts'
import * as delivery from '../delivery/delivery.ts'
import * as demo from '../demo/demo.ts'
import * as developers from '../developers/developers.ts'
import * as duties from '../duties/duties.ts'
import * as documents from '../documents/documents.ts'
import * as insights from '../insights/insights.ts'
import * as inventory from '../inventory/inventory.ts'
import * as mail from '../mail/mail.ts'
import * as marketplace from '../marketplace/marketplace.ts'
import * as merchants from '../merchants/merchants.ts'
import * as notes from '../notes/notes.ts'
import * as live from '../orders/live.ts'
import * as orderDuties from '../orders/order-duties.ts'
import * as orders from '../orders/orders.ts'
import * as picks from '../picks/picks.ts'
import * as records from '../records/records.ts'
import * as shipping from '../shipping/shipping.ts'
import * as signIn from '../sign-in/sign-in.ts'
import * as twoStep from '../sign-in/two-step.ts'
import * as substitutes from '../substitutes/substitutes.ts'
import * as team from '../team/team.ts'
import * as today from '../today/today.ts'
import * as push from '../watch/push.ts'
import * as watch from '../watch/watch.ts'
import * as views from '../views/views.ts'
import type { Endpoint } from './endpoint.ts'

/** The modules with calls, by their heading in the documentation. Each is in the folder named after the slice that serves it. */
const modules = {
  'Sign-in and profile': { ...signIn, ...twoStep },
  Team: team,
  Merchant: merchants,
  Duties: { ...duties, ...records },
  Billing: billing,
  Inventory: inventory,
  Orders: { ...orders, ...orderDuties },
  'Alarms and presence': { ...live, ...watch, ...push },
  Delivery: { ...delivery, ...courierChecks },
  Substitutes: substitutes,
  Notes: notes,
  Picks: picks,
  Today: today,
  'Saved views': views,
  Shipping: shipping,
  Documents: documents,
  Marketplace: marketplace,
  Mail: mail,
  Content: content,
  Developers: developers,
  'The server': insights,
  'Demo only': demo,
}

function isEndpoint(value: unknown): value is Endpoint {
  return typeof value === 'object' && value !== null && 'call' in value && 'access' in value
}

const isDemoCall = (call: string) => call.includes(' /demo/')

/** The name that each call has in the contract, by its line; no two are the same. */
export const operationIds: Readonly<Record<string, string>> = Object.fromEntries(
  Object.values(modules).flatMap((module) =>
    Object.entries(module as Record<string, unknown>).flatMap(([name, value]) =>
      isEndpoint(value) ? [[value.call, name]] : [],
    ),
  ),
)

const headed = Object.entries(modules).flatMap(([heading, module]) =>
  (Object.values(module) as unknown[])
    .filter(isEndpoint)
    .map((endpoint) => ({ heading: ofOneReader(endpoint) ?? heading, endpoint })),
)

/** The marketplace, or a visitor of the demo, looks for all of their calls in one place. */
function ofOneReader({ call }: Endpoint): keyof typeof modules | undefined {
  if (call.includes(' /marketplace/')) return 'Marketplace'
  return isDemoCall(call) ? 'Demo only' : undefined
}

/** The calls, grouped as in the documentation. */
export const endpointGroups: readonly { name: string; endpoints: readonly Endpoint[] }[] = Object.keys(
  modules,
).map((name) => ({
  name,
  endpoints: headed.filter(({ heading }) => heading === name).map(({ endpoint }) => endpoint),
}))

/** Every call of the wire contract. The server refuses to start with a route outside of it. */
export const endpoints: readonly Endpoint[] = headed.map(({ endpoint }) => endpoint)

/** The calls that exist in the demo alone; elsewhere their addresses answer 404. */
export const demoCalls: readonly Endpoint[] = endpoints.filter(({ call }) => isDemoCall(call))

type Modules = typeof modules
export type EndpointOf = { [Name in keyof Modules]: Modules[Name][keyof Modules[Name]] }[keyof Modules]
