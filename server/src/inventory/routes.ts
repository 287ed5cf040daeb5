import * as lines from '@cellarhand/contract/inventory'
import type { FastifyRequest } from 'fastify'
import type { Database } from '#platform/db/database.ts'
import { JsonText, type Http } from '#platform/http/server.ts'
import { getOfferingPage, listMerchantOfferings } from './reads.ts'

export interface InventoryDeps {
  readonly db: Database
  readonly publicUrl: (request: FastifyRequest) => string
}

const defaultLimit = 30

export function serveInventory({ serve }: Http, { db, publicUrl }: InventoryDeps): void {
  serve(lines.listMerchantOfferings, async ({ caller, query }) => {
    const filter = { isSelling: flag(query['filter[selling_with_thirstie]']) }
    return new JsonText(await listMerchantOfferings(db, caller.merchantId, filter))
  })
  serve(lines.listOfferings, async ({ caller, query, request }) => {
    const { limit = defaultLimit, offset = 0 } = query
    const filter = {
      id: query['filter[id]'],
      merchant: query['filter[merchant]'],
      productId: query['filter[tpk]'],
      isActive: flag(query['filter[is_active]']),
      isSelling: flag(query['filter[selling_with_thirstie]']),
    }
    const { items, total } = await getOfferingPage(db, caller.merchantId, { filter, limit, offset })
    const pageAt = (from: number) => {
      const parameters = new URLSearchParams(request.url.split('?')[1] ?? '')
      parameters.set('limit', String(limit))
      parameters.set('offset', String(from))
      return `${publicUrl(request)}/c/v2/offerings?${parameters.toString()}`
    }
    const others = {
      total_rows: total,
      prev_url: offset > 0 ? pageAt(Math.max(0, offset - limit)) : null,
      next_url: offset + items.length < total ? pageAt(offset + limit) : null,
    }
    return new JsonText(`{"items":[${items.join(',')}],${JSON.stringify(others).slice(1)}`)
  })
}

function flag(text: string | undefined): boolean | undefined {
  return text === undefined ? undefined : text === 'true'
}
