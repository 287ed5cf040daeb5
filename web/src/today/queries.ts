import { queryOptions } from '@tanstack/react-query'
import type { Reply } from '#lib/calls/call.ts'
import { call } from '#lib/calls/call.ts'

const dayLine = 'GET /m/v2/merchant/{tmk}/today'
const clerksLine = 'GET /m/v2/merchant/{tmk}/today/clerks'

const shiftLine = 'GET /m/v2/merchant/{tmk}/shift'
const dutyLine = 'GET /m/v2/merchant/{tmk}/watch/duty'

export type Shift = Reply<typeof shiftLine>
export type DayFigures = Reply<typeof dayLine>
export type ClerkFigures = Reply<typeof clerksLine>

const oftenMs = 30_000
const again = (day: string | undefined) => ({ refetchInterval: day === undefined ? oftenMs : false }) as const

const queryOf = (day: string | undefined) => (day === undefined ? {} : { day })

/** Without a day it is the shop's current one, which is asked for again and again. */
export function dayQuery(tmk: string, day: string | undefined) {
  return queryOptions({
    queryKey: [dayLine, tmk, day],
    queryFn: ({ signal }) => call(dayLine, { params: { tmk }, query: queryOf(day) }, { signal }),
    staleTime: 0,
    ...again(day),
  })
}

export function clerksQuery(tmk: string, day: string | undefined) {
  return queryOptions({
    queryKey: [clerksLine, tmk, day],
    queryFn: ({ signal }) => call(clerksLine, { params: { tmk }, query: queryOf(day) }, { signal }),
    staleTime: 0,
    ...again(day),
  })
}

export function shiftQuery(tmk: string) {
  return queryOptions({
    queryKey: [shiftLine, tmk],
    queryFn: ({ signal }) => call(shiftLine, { params: { tmk } }, { signal }),
    staleTime: 0,
    refetchInterval: oftenMs,
  })
}

/** A colleague may take the duty on another screen. */
export function dutyQuery(tmk: string) {
  return queryOptions({
    queryKey: [dutyLine, tmk],
    queryFn: ({ signal }) => call(dutyLine, { params: { tmk } }, { signal }),
    staleTime: 0,
    refetchInterval: oftenMs,
  })
}
