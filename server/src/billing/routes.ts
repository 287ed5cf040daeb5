import * as lines from '@cellarhand/contract/billing'
import type { FastifyRequest } from 'fastify'
import { recordPaymentStatus } from '#merchants/public.ts'
import type { Database } from '#platform/db/database.ts'
import { createCommands } from '#platform/http/command.ts'
import { takeProviderShare } from '#platform/provider-share.ts'
import type { Http } from '#platform/http/server.ts'
import type { Sealer } from '#platform/sealed-text.ts'
import { openOnboarding } from './commands/open-onboarding.ts'
import { saveBilling } from './commands/save-billing.ts'
import { takeStripeEvent, type StripeEvents } from './commands/take-stripe-event.ts'
import type { Payments } from './payments.ts'
import { getBilling, getLegacyAccount } from './reads.ts'
import { sandboxPage, usedUpPage } from './sandbox-page.ts'
import { decideSandboxAccount, findSandboxAccount } from './sandbox-payments.ts'

export interface BillingDeps {
  readonly db: Database
  readonly sealer: Sealer
  readonly payments: (request: FastifyRequest) => Payments
  readonly stripeEvents: StripeEvents | undefined
  readonly publicUrl: (request: FastifyRequest) => string
}

export function serveBilling(http: Http, deps: BillingDeps): void {
  const { db, sealer, payments, publicUrl } = deps
  const { command } = createCommands(http, { db })
  http.serve(lines.getBilling, async ({ caller: { merchantId } }) =>
    db.view(merchantId, (statements) => getBilling({ statements, sealer }, merchantId)),
  )
  command(lines.updateBilling, (statements, { caller, body }) =>
    saveBilling({ statements, sealer }, caller, body),
  )
  http.serve(lines.getSubmerchant, async ({ caller }) => getLegacyAccount(db, caller.merchantId))
  http.serve(lines.getOnboarding, async ({ caller, request }) => {
    await takeProviderShare(db, caller.merchantId)
    const returnUrl = `${publicUrl(request)}/settings/billing`
    return openOnboarding({ db, payments: payments(request), returnUrl }, caller.merchantId)
  })
  http.serve(lines.receiveStripeEvent, async ({ request }) => {
    await takeStripeEvent(deps, request)
    return {}
  })
}

/** The pages of the sandbox; they exist in the demo alone. */
export function serveSandboxPayments({ serve }: Http, { db }: { db: Database }): void {
  serve(lines.readPaymentsPage, async ({ params, reply }) => {
    const account = await findSandboxAccount(db, params.token)
    return reply
      .code(account === undefined ? 404 : 200)
      .type('text/html; charset=utf-8')
      .send(account === undefined ? usedUpPage : sandboxPage(params.token, account))
  })
  serve(lines.finishPaymentsPage, async ({ params, reply }) => {
    const account = await decideSandboxAccount(db, params.token, params.outcome)
    if (account === undefined) return reply.code(404).type('text/html; charset=utf-8').send(usedUpPage)
    // A real provider reports this by a webhook.
    await db.system((statements) =>
      recordPaymentStatus(statements, {
        accountId: account.account_id,
        status: params.outcome,
        readAt: new Date(db.clock.nowMs()),
      }),
    )
    return reply.redirect(account.return_url, 303)
  })
}
