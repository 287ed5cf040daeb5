import type { Endpoint } from '@cellarhand/contract/endpoint'
import { hasPermission, leastRole, type Permission } from '@cellarhand/contract/permissions'
import type { FastifyRequest } from 'fastify'
import { readBasicCredential, sameSecret } from '../same-secret.ts'
import type { Person } from './caller.ts'
import { refusalOfClosed, refuse } from './refuse.ts'

export interface Gatekeeper {
  /** The person of a bearer token; undefined when the token is bad, expired or ended. */
  readonly authenticate: (token: string, request: FastifyRequest) => Promise<Person | undefined>
  /** `name:secret` of the two Basic credentials. */
  readonly applicationCredential: string
  readonly marketplaceCredential: string
}

/** Enforces an endpoint's policy before the server reads the body: 401, then 403. */
export async function admit(
  endpoint: Endpoint,
  request: FastifyRequest,
  gate: Gatekeeper,
): Promise<Person | undefined> {
  const { access } = endpoint
  if (access === 'public' || access === 'signed-link' || access === 'provider') return undefined
  if (access === 'application') return requireCredential(request, gate.applicationCredential)
  if (access === 'marketplace') return requireCredential(request, gate.marketplaceCredential)

  if (saysTwiceWho(request)) return refuse('unauthorized')
  const token = /^Bearer ([^\s]+)$/i.exec(request.headers.authorization ?? '')?.[1]
  const person = token === undefined ? undefined : await gate.authenticate(token, request)
  if (person === undefined) return refuse('unauthorized')
  if (!isAllowed(endpoint, person, request.params as Record<string, string>))
    refuse(person.lacksSecondStep ? 'two_step_setup_required' : 'forbidden')
  requireOpenHere(person, request)
  return person
}

/** A shop on its way to another cell is read as long as nothing has changed there. */
function requireOpenHere({ closed }: Person, { method }: FastifyRequest): void {
  if (closed === undefined) return
  if (closed.mayRead === true && (method === 'GET' || method === 'HEAD')) return
  throw refusalOfClosed(closed)
}

/** Node keeps the first of two Authorization headers, and a proxy may have checked the second. */
function saysTwiceWho({ raw }: FastifyRequest): boolean {
  let count = 0
  for (let at = 0; at < raw.rawHeaders.length; at += 2)
    if (raw.rawHeaders[at]?.toLowerCase() === 'authorization') count++
  return count > 1
}

function isAllowed({ access }: Endpoint, person: Person, params: Record<string, string>): boolean {
  if (access === 'session') return true
  const isSelf = params['id'] === person.userId
  if (access === 'self') return isSelf
  if (access.startsWith('self or '))
    return isSelf || staffMay(person, access.slice('self or '.length) as Permission, params)
  return access in leastRole && staffMay(person, access as Permission, params)
}

function staffMay(person: Person, permission: Permission, params: Record<string, string>): boolean {
  if (person.merchantId === null || !hasPermission(person.roles, permission)) return false
  return params['tmk'] === undefined || params['tmk'] === person.merchantId
}

function requireCredential(request: FastifyRequest, credential: string): undefined {
  if (saysTwiceWho(request)) return refuse('bad_client_credential')
  if (!sameSecret(readBasicCredential(request.headers.authorization), credential))
    refuse('bad_client_credential')
  return undefined
}
