import { queryOptions } from '@tanstack/react-query'
import type { Reply } from '#lib/calls/call.ts'
import { call } from '#lib/calls/call.ts'

export function hoursQuery(tmk: string) {
  return queryOptions({
    queryKey: ['GET /c/v2/merchants/{tmk}/hours', tmk],
    queryFn: ({ signal }) => call('GET /c/v2/merchants/{tmk}/hours', { params: { tmk } }, { signal }),
  })
}

export function substitutesQuery(tmk: string) {
  return queryOptions({
    queryKey: ['GET /m/v2/merchant/{tmk}/substitutes', tmk],
    queryFn: ({ signal }) => call('GET /m/v2/merchant/{tmk}/substitutes', { params: { tmk } }, { signal }),
  })
}

type OutsideServices = Reply<'GET /c/v2/merchants/{tmk}/outside_services'>
export type OutsideService = OutsideServices['services'][number]
export type UndeliveredMail = OutsideServices['undelivered_mails'][number]

export function outsideServicesQuery(tmk: string) {
  return queryOptions({
    queryKey: ['GET /c/v2/merchants/{tmk}/outside_services', tmk],
    queryFn: ({ signal }) =>
      call('GET /c/v2/merchants/{tmk}/outside_services', { params: { tmk } }, { signal }),
  })
}
