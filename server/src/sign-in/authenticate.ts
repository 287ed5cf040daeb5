import { resumeSession } from '@cellarhand/contract/sign-in'
import type { FastifyRequest } from 'fastify'
import type { Person } from '#platform/http/caller.ts'
import { takeHandOver } from './sessions/hand-over.ts'
import type { SignInDeps } from './sessions/start-session.ts'
import { createPersonFinder } from './reads.ts'

type Authenticate = (token: string, request: FastifyRequest) => Promise<Person | undefined>

/** Accepts a session token anywhere, a hand-over token only at the token login, which makes it a session (GAP-38). */
export function createAuthenticate({ db, tokens }: SignInDeps): Authenticate {
  const findPerson = createPersonFinder(db)
  return async (token, request) => {
    const claims = await tokens.verify(token)
    if (claims !== undefined) return findPerson(claims)
    const isTokenLogin = request.routeOptions.config.endpoint?.call === resumeSession.call
    // A HEAD request only looks at the call and spends nothing.
    if (!isTokenLogin || request.method !== 'GET' || token.includes('.')) return undefined
    const asked = { token, network: request.ip, userAgent: request.headers['user-agent'] }
    const taken = await takeHandOver(db, asked)
    return taken === undefined ? undefined : findPerson(taken)
  }
}
