import { queryOptions } from '@tanstack/react-query'
import type { Reply } from '#lib/call.ts'
import { call } from '#lib/call.ts'

export type Colleague = Reply<'GET /c/v2/merchants/{tmk}/users'>['items'][number]

export function teamQuery(tmk: string) {
  return queryOptions({
    queryKey: ['GET /c/v2/merchants/{tmk}/users', tmk],
    queryFn: ({ signal }) => call('GET /c/v2/merchants/{tmk}/users', { params: { tmk } }, { signal }),
  })
}

export function nameOf({ first_name, last_name }: Colleague): string {
  return `${first_name} ${last_name}`.trim()
}

export function rolesOf({ roles }: Colleague): string {
  return roles.map(({ label }) => label).join(', ') || 'No role'
}

export function requirementQuery(tmk: string) {
  return queryOptions({
    queryKey: ['GET /c/v2/merchants/{tmk}/two_step', tmk],
    queryFn: ({ signal }) => call('GET /c/v2/merchants/{tmk}/two_step', { params: { tmk } }, { signal }),
  })
}
