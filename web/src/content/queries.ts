import { queryOptions } from '@tanstack/react-query'
import type { Reply } from '#lib/calls/call.ts'
import { call, CallError } from '#lib/calls/call.ts'

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

/** The news, otherwise the welcome, otherwise nothing. */
export const bannerQuery = queryOptions({
  queryKey: ['GET /v1/documents/{name}'],
  queryFn: async ({ signal }) =>
    (await published('merchant_dashboard_news', signal)) ?? (await published('welcome_message', signal)),
  staleTime: 15 * 60_000,
})
