import { createHandover } from '@cellarhand/contract/marketplace'
import {
  getUser,
  getUserMerchant,
  requestPasswordReset as requestResetCall,
  resetPassword as resetPasswordCall,
  resumeSession,
  signIn,
  signOut,
  signUp as signUpCall,
  updateUser,
} from '@cellarhand/contract/sign-in'
import type { FastifyRequest } from 'fastify'
import type { Http } from '#platform/http/server.ts'
import type { Stationery } from '#platform/mail/outgoing.ts'
import { createHandOver } from './commands/hand-over.ts'
import { renewSession } from './commands/renew-session.ts'
import { requestPasswordReset } from './commands/request-password-reset.ts'
import { resetPassword } from './commands/reset-password.ts'
import { signUp } from './commands/sign-up.ts'
import { startSession, type SignInDeps } from './commands/start-session.ts'
import { updateProfile } from './commands/update-profile.ts'
import { getMerchantOfUser, getVisibleUser } from './reads.ts'

export interface SignInRouteDeps extends SignInDeps {
  readonly stationery: Stationery
  readonly publicUrl: (request: FastifyRequest) => string
  /** Called when a mail was promised, so that it leaves at once. */
  readonly onMail: () => void
}

export function serveSignIn(http: Http, deps: SignInRouteDeps): void {
  serveSessions(http, deps)
  serveAccounts(http, deps)
}

function serveSessions({ serve }: Http, deps: SignInRouteDeps): void {
  const { db, publicUrl } = deps
  serve(signIn, async ({ body }) => startSession(deps, body))
  serve(resumeSession, async ({ caller }) => renewSession(deps, caller))
  serve(signOut, async ({ caller }) => {
    await db.systemQuery('update sessions set ended_at = now() where session_id = $1', [caller.sessionId])
    return {}
  })
  serve(createHandover, async ({ body, request }) => ({
    url: await createHandOver(db, { ...body, publicUrl: publicUrl(request) }),
  }))
}

function serveAccounts({ serve }: Http, { db, stationery, publicUrl, onMail }: SignInRouteDeps): void {
  serve(signUpCall, async ({ body }) => signUp(db, body))
  serve(requestResetCall, async ({ body, request }) => {
    await requestPasswordReset(db, {
      email: body.email,
      network: request.ip,
      publicUrl: publicUrl(request),
      stationery,
    })
    onMail()
    return {}
  })
  serve(resetPasswordCall, async ({ body }) => {
    await resetPassword(db, { newPassword: body.new_password, token: body.reset_token })
    return {}
  })
  serve(getUser, async ({ caller, params }) => getVisibleUser(db, caller, params.id))
  serve(updateUser, async ({ params, body }) => updateProfile(db, params.id, body))
  serve(getUserMerchant, async ({ params }) => getMerchantOfUser(db, params.id))
}
