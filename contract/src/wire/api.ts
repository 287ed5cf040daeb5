import type { ExchangeOf } from './endpoint.ts'
import type { EndpointOf } from './endpoints.ts'

type Lines = Extract<EndpointOf, { call: string; access: unknown }>

/** A reply of this server, which sends the fields that are ours too. */
export type Whole<T> = T extends readonly (infer Entry)[]
  ? Whole<Entry>[]
  : T extends object
    ? { [K in keyof T]-?: Whole<T[K]> }
    : T

/** Request and reply of every call, by its line: `Api['GET /m/v2/orders/{id}']['reply']`. Types only. */
export type Api = { [E in Lines as E['call']]: ExchangeOf<E> }
