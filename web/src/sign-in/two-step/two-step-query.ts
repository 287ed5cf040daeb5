import { queryOptions } from '@tanstack/react-query'
import { call } from '#lib/calls/call.ts'

export function twoStepQuery(userId: string) {
  return queryOptions({
    queryKey: ['GET /a/v2/users/{id}/two_step', userId],
    queryFn: ({ signal }) => call('GET /a/v2/users/{id}/two_step', { params: { id: userId } }, { signal }),
  })
}
