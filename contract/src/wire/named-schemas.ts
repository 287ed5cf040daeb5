import type { TSchema } from 'typebox'
import * as ageCheckFields from '../delivery/age-check-fields.ts'
import * as courierInfo from '../delivery/courier-info.ts'
import * as documents from '../documents/documents.ts'
import * as inventory from '../inventory/inventory.ts'
import * as marketplace from '../marketplace/marketplace.ts'
import * as merchants from '../merchants/merchants.ts'
import * as notes from '../notes/notes.ts'
import * as live from '../orders/live.ts'
import * as orders from '../orders/orders.ts'
import * as picks from '../picks/picks.ts'
import * as shipping from '../shipping/shipping.ts'
import * as signIn from '../sign-in/sign-in.ts'
import * as substituteFields from '../orders/shortage/substitute-fields.ts'
import * as substitutes from '../substitutes/substitutes.ts'
import * as today from '../today/today.ts'
import * as views from '../views/views.ts'
import * as watch from '../watch/watch.ts'
import * as fields from './fields.ts'
import * as problem from './problem.ts'

const modules = [
  fields,
  problem,
  ageCheckFields,
  courierInfo,
  orders,
  live,
  marketplace,
  merchants,
  inventory,
  shipping,
  documents,
  signIn,
  substituteFields,
  substitutes,
  today,
  notes,
  picks,
  views,
  watch,
]

function isSchema(value: unknown): value is TSchema {
  if (typeof value !== 'object' || value === null || 'call' in value) return false
  return ('type' in value && typeof value.type === 'string') || 'anyOf' in value || 'enum' in value
}

/** The shapes that the contract exports under a name of their own. A description of the interface names them so too. */
export const namedSchemas: readonly (readonly [name: string, schema: TSchema])[] = modules.flatMap((module) =>
  Object.entries(module as Record<string, unknown>).flatMap(([name, value]) =>
    isSchema(value) ? [[name, value] as const] : [],
  ),
)
