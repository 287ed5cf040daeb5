import { resumeSession } from '@cellarhand/contract/sign-in'
import type { FastifyRequest } from 'fastify'
import type { Person } from '#platform/http/caller.ts'
import { takeHandOver } from './sessions/hand-over.ts'
import type { SignInDeps } from './sessions/start-session.ts'
import { findPersonOfSession } from './reads.ts'

/** Accepts a session token anywhere, a hand-over token only at the token login, which makes it a session (GAP-38). */
export async function authenticate(
  deps: SignInDeps,
  token: string,
  request: FastifyRequest,
): Promise<Person | undefined> {
  const claims = await deps.tokens.verify(token)
  if (claims !== undefined) return findPersonOfSession(deps.db, claims)
  const isTokenLogin = request.routeOptions.config.endpoint?.call === resumeSession.call
  // A HEAD request only looks at the call and spends nothing.
  if (!isTokenLogin || request.method !== 'GET' || token.includes('.')) return undefined
  const asked = { token, network: request.ip, userAgent: request.headers['user-agent'] }
  const taken = await takeHandOver(deps.db, asked)
  return taken === undefined ? undefined : findPersonOfSession(deps.db, taken)
}
