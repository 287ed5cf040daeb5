import * as lines from '@cellarhand/contract/sign-in'
import * as twoStepLines from '@cellarhand/contract/two-step'
import type { FastifyRequest } from 'fastify'
import { createSystemCommands } from '#platform/http/command.ts'
import { advisingWhenMoved } from '#platform/http/refuse.ts'
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
import { endOtherSessions, endOwnSession, endThisSession } from './users/end-sessions.ts'
import { passwordPage } from './users/one-time-tokens.ts'

export interface SignInRouteDeps extends SignInDeps {
  readonly stationery: Stationery
  readonly seal: (text: string) => string
  readonly publicUrl: (request: FastifyRequest) => string
  /** Where the links of mails lead; no request can change it. Refuses when nobody has told the server. */
  readonly mailUrl: () => string
  /** Called when a mail was promised, so that it leaves at once. */
  readonly onMail: () => void
}

export function serveSignIn(http: Http, deps: SignInRouteDeps): void {
  serveSessions(http, deps)
  serveAccounts(http, deps)
  serveSecondStep(http, deps)
}

function serveSecondStep({ serve }: Http, deps: SetUpDeps & Pick<SignInRouteDeps, 'onMail'>): void {
  serve(twoStepLines.getTwoStep, async ({ caller }) => getSecondStep({ query: deps.db.systemQuery }, caller))
  serve(twoStepLines.startTwoStep, async ({ caller, body }) => startSecondStep(deps, caller, body.password))
  serve(twoStepLines.confirmTwoStep, async ({ caller, body }) => {
    const codes = await confirmSecondStep(deps, caller, body.code)
    deps.onMail()
    return { recovery_codes: codes }
  })
  serve(twoStepLines.renewRecoveryCodes, async ({ caller, body }) => {
    const codes = await renewRecoveryCodes(deps, caller, body)
    deps.onMail()
    return { recovery_codes: codes }
  })
  serve(twoStepLines.disableTwoStep, async ({ caller, body }) => {
    await disableSecondStep(deps, caller, body)
    deps.onMail()
    return {}
  })
}

function serveSessions(http: Http, deps: SignInRouteDeps): void {
  const { db, publicUrl, onMail } = deps
  const { serve } = http
  const systemCommand = createSystemCommands(http, { db, onChange: onMail })
  serve(
    lines.signIn,
    async ({ body, request }) =>
      startSession(deps, {
        ...body,
        userAgent: request.headers['user-agent'],
        network: request.ip,
      }),
    // In its own, people who sign in from the network of a flood come before the flood.
    { hasOwnDoorway: true },
  )
  serve(lines.resumeSession, async ({ caller }) => renewSession(deps, caller))
  serve(lines.signOut, async ({ caller }) => {
    await endThisSession(db, caller)
    return {}
  })
  systemCommand(lines.createHandover, (statements, { body, request }) =>
    createHandOver(statements, { ...body, publicUrl: publicUrl(request) }),
  )
  serve(lines.redeemHandover, async ({ body, request }) =>
    redeemHandOver(deps, { ...body, userAgent: request.headers['user-agent'] }),
  )
  serve(lines.listSessions, async ({ caller }) => ({ items: await listOwnSessions(db, caller) }))
  systemCommand(lines.endSession, (statements, { caller, params }) =>
    endOwnSession(statements, caller, params.session),
  )
  systemCommand(lines.endOtherSessions, async (statements, { caller }) => ({
    ended: await endOtherSessions(statements, caller),
  }))
}

function serveAccounts({ serve }: Http, { db, open, stationery, mailUrl, onMail }: SignInRouteDeps): void {
  serve(lines.signUp, async ({ body, request }) => signUp(db, body, request.ip))
  serve(lines.requestPasswordReset, async ({ body, request }) => {
    await requestPasswordReset(db, {
      email: body.email,
      network: request.ip,
      publicUrl: mailUrl(),
      stationery,
    })
    onMail()
    return {}
  })
  serve(lines.resetPassword, async ({ body, request }) => {
    const { new_password: newPassword, reset_token: token } = body
    await advisingWhenMoved(
      (movedTo) => `Please open your link there: ${movedTo}${passwordPage(token)}`,
      () => resetPassword(db, { newPassword, token, network: request.ip, stationery }),
    )
    onMail()
    return {}
  })
  serve(lines.getUser, async ({ caller, params }) => getVisibleUser(db, caller, params.id))
  serve(lines.updateUser, async ({ caller, body, request }) => {
    const user = await updateProfile({ db, open, stationery, network: request.ip }, caller, body)
    onMail()
    return user
  })
  serve(lines.getUserMerchant, async ({ params }) => getMerchantOfUser(db, params.id))
}
