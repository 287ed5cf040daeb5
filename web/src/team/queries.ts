import { queryOptions } from '@tanstack/react-query'
import type { Reply } from '#lib/calls/call.ts'
import { call } from '#lib/calls/call.ts'

export type Colleague = Reply<'GET /c/v2/merchants/{tmk}/users'>['items'][number]

export function teamQuery(tmk: string) {
  return queryOptions({
    queryKey: ['GET /c/v2/merchants/{tmk}/users', tmk],
    queryFn: ({ signal }) => call('GET /c/v2/merchants/{tmk}/users', { params: { tmk } }, { signal }),
  })
}

/** One user's present roles: a colleague may have changed them since the list was fetched (TEAM-016). */
export function rolesQuery(uuid: string) {
  return queryOptions({
    queryKey: ['GET /a/v2/users/{id}/roles', uuid],
    queryFn: ({ signal }) => call('GET /a/v2/users/{id}/roles', { params: { id: uuid } }, { signal }),
    staleTime: 0,
  })
}

export function nameOf({ first_name, last_name }: Colleague): string {
  return `${first_name} ${last_name}`.trim()
}

export function rolesOf({ roles }: Pick<Colleague, 'roles'>): string {
  return roles.map(({ label }) => label).join(', ') || 'No role'
}

export function requirementQuery(tmk: string) {
  return queryOptions({
    queryKey: ['GET /c/v2/merchants/{tmk}/two_step', tmk],
    queryFn: ({ signal }) => call('GET /c/v2/merchants/{tmk}/two_step', { params: { tmk } }, { signal }),
  })
}
