import { queryOptions } from '@tanstack/react-query'
import { call } from '#lib/calls/call.ts'

const rulesLine = 'GET /m/v2/merchant/{tmk}/alarms/rules'
const watchLine = 'GET /m/v2/merchant/{tmk}/watch'
const pushLine = 'GET /m/v2/merchant/{tmk}/push'

export function alarmRulesQuery(tmk: string) {
  return queryOptions({
    queryKey: [rulesLine, tmk],
    queryFn: ({ signal }) => call(rulesLine, { params: { tmk } }, { signal }),
  })
}

export function watchQuery(tmk: string) {
  return queryOptions({
    queryKey: [watchLine, tmk],
    queryFn: ({ signal }) => call(watchLine, { params: { tmk } }, { signal }),
  })
}

export function pushQuery(tmk: string) {
  return queryOptions({
    queryKey: [pushLine, tmk],
    queryFn: ({ signal }) => call(pushLine, { params: { tmk } }, { signal }),
  })
}
