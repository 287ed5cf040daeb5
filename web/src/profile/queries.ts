import { queryOptions } from '@tanstack/react-query'
import { call } from '#lib/calls/call.ts'

export function sessionsQuery(userId: string) {
  return queryOptions({
    queryKey: ['GET /a/v2/users/{id}/sessions', userId],
    queryFn: ({ signal }) => call('GET /a/v2/users/{id}/sessions', { params: { id: userId } }, { signal }),
  })
}
