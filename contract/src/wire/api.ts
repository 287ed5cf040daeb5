import type { ExchangeOf } from './endpoint.ts'
import type { EndpointOf } from './endpoints.ts'

type Lines = Extract<EndpointOf, { call: string; access: unknown }>

/** Request and reply of every call, by its line: `Api['GET /m/v2/orders/{id}']['reply']`. Types only. */
export type Api = { [E in Lines as E['call']]: ExchangeOf<E> }
