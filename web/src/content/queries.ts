import { queryOptions } from '@tanstack/react-query'
import type { Reply } from '#lib/calls/call.ts'
import { call, CallError } from '#lib/calls/call.ts'
import { config } from '#lib/calls/config.ts'

type Published = Reply<'GET /v1/documents/{name}'>

async function published(
  name: 'merchant_dashboard_news' | 'welcome_message',
  signal: AbortSignal,
): Promise<Published | null> {
  try {
    return await call('GET /v1/documents/{name}', { params: { name } }, { signal, auth: 'none' })
  } catch (error) {
    if (error instanceof CallError) return null
    throw error
  }
}

const queryKey = ['GET /v1/documents/{name}']

/** The news, otherwise the welcome, otherwise nothing. */
export const bannerQuery = queryOptions({
  queryKey,
  queryFn: async ({ signal, client }) => {
    // The page came with the names of the published documents. If it stays open for long, it asks for all of them.
    const isFirst = client.getQueryData(queryKey) === undefined
    for (const name of ['merchant_dashboard_news', 'welcome_message'] as const) {
      const found = (!isFirst || config.published.includes(name)) && (await published(name, signal))
      if (found) return found
    }
    return null
  },
  staleTime: 15 * 60_000,
})
