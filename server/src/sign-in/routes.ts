import {
  createHandover,
  endOtherSessions as endOtherSessionsCall,
  endSession,
  getUser,
  getUserMerchant,
  listSessions,
  redeemHandover,
  requestPasswordReset as requestResetCall,
  resetPassword as resetPasswordCall,
  resumeSession,
  signIn,
  signOut,
  signUp as signUpCall,
  updateUser,
} from '@cellarhand/contract/sign-in'
import {
  confirmTwoStep,
  disableTwoStep,
  getTwoStep,
  renewRecoveryCodes as renewRecoveryCodesCall,
  startTwoStep,
} from '@cellarhand/contract/two-step'
import type { FastifyRequest } from 'fastify'
import type { Http } from '#platform/http/server.ts'
import type { Stationery } from '#platform/mail/outgoing.ts'
import { createHandOver, redeemHandOver } from './sessions/hand-over.ts'
import { renewSession } from './sessions/renew-session.ts'
import { requestPasswordReset } from './accounts/request-password-reset.ts'
import { resetPassword } from './accounts/reset-password.ts'
import {
  confirmSecondStep,
  disableSecondStep,
  getSecondStep,
  renewRecoveryCodes,
  startSecondStep,
  type SetUpDeps,
} from './second-step/set-up-second-step.ts'
import { signUp } from './accounts/sign-up.ts'
import { startSession, type SignInDeps } from './sessions/start-session.ts'
import { updateProfile } from './accounts/update-profile.ts'
import { getMerchantOfUser, getVisibleUser, listOwnSessions } from './reads.ts'
import { endOtherSessions, endOwnSession } from './users/end-sessions.ts'

export interface SignInRouteDeps extends SignInDeps {
  readonly stationery: Stationery
  readonly seal: (text: string) => string
  readonly publicUrl: (request: FastifyRequest) => string
  /** Where the links of mails lead, whatever the request says; refuses when nobody has told the server. */
  readonly mailUrl: () => string
  /** Called when a mail was promised, so that it leaves at once. */
  readonly onMail: () => void
}

export function serveSignIn(http: Http, deps: SignInRouteDeps): void {
  serveSessions(http, deps)
  serveAccounts(http, deps)
  serveSecondStep(http, { ...deps, product: deps.stationery.product })
}

function serveSecondStep({ serve }: Http, deps: SetUpDeps): void {
  serve(getTwoStep, async ({ caller }) => getSecondStep({ query: deps.db.systemQuery }, caller))
  serve(startTwoStep, async ({ caller, body }) => startSecondStep(deps, caller, body.password))
  serve(confirmTwoStep, async ({ caller, body }) => ({
    recovery_codes: await confirmSecondStep(deps, caller, body.code),
  }))
  serve(renewRecoveryCodesCall, async ({ caller, body }) => ({
    recovery_codes: await renewRecoveryCodes(deps, caller, body),
  }))
  serve(disableTwoStep, async ({ caller, body }) => {
    await disableSecondStep(deps, caller, body)
    return {}
  })
}

function serveSessions({ serve }: Http, deps: SignInRouteDeps): void {
  const { db, publicUrl } = deps
  serve(signIn, async ({ body, request }) =>
    startSession(deps, {
      ...body,
      userAgent: request.headers['user-agent'],
      network: request.ip,
    }),
  )
  serve(resumeSession, async ({ caller }) => renewSession(deps, caller))
  serve(signOut, async ({ caller }) => {
    await db.systemQuery('update sessions set ended_at = now() where session_id = $1', [caller.sessionId])
    return {}
  })
  serve(createHandover, async ({ body, request }) => ({
    url: await createHandOver(db, { ...body, publicUrl: publicUrl(request) }),
  }))
  serve(redeemHandover, async ({ body, request }) =>
    redeemHandOver(deps, { ...body, userAgent: request.headers['user-agent'] }),
  )
  serve(listSessions, async ({ caller }) => ({ items: await listOwnSessions(db, caller) }))
  serve(endSession, async ({ caller, params }) => {
    await db.system((statements) => endOwnSession(statements, caller, params.session))
    return {}
  })
  serve(endOtherSessionsCall, async ({ caller }) => ({
    ended: await db.system((statements) => endOtherSessions(statements, caller)),
  }))
}

function serveAccounts({ serve }: Http, { db, stationery, mailUrl, onMail }: SignInRouteDeps): void {
  serve(signUpCall, async ({ body, request }) => signUp(db, body, request.ip))
  serve(requestResetCall, async ({ body, request }) => {
    await requestPasswordReset(db, {
      email: body.email,
      network: request.ip,
      publicUrl: mailUrl(),
      stationery,
    })
    onMail()
    return {}
  })
  serve(resetPasswordCall, async ({ body, request }) => {
    await resetPassword(db, {
      newPassword: body.new_password,
      token: body.reset_token,
      network: request.ip,
      stationery,
    })
    onMail()
    return {}
  })
  serve(getUser, async ({ caller, params }) => getVisibleUser(db, caller, params.id))
  serve(updateUser, async ({ caller, body }) => {
    const user = await updateProfile({ db, stationery }, caller, body)
    onMail()
    return user
  })
  serve(getUserMerchant, async ({ params }) => getMerchantOfUser(db, params.id))
}
