import { escapeHtml } from '#platform/mail/letter.ts'
import type { SandboxAccount } from './sandbox-payments.ts'

const outcomes = [
  ['active', 'Everything is in order: the account is active'],
  ['pending', 'Everything was handed in and is being checked: pending'],
  ['restricted', 'Something is still missing: restricted'],
  ['rejected', 'The provider does not want this business: rejected'],
] as const

const statusWords: Readonly<Record<SandboxAccount['status'], string>> = {
  new: 'Nothing has been handed in yet.',
  active: 'The account is active.',
  pending: 'The account is being checked.',
  restricted: 'The account is restricted.',
  rejected: 'The account was rejected.',
}

/** Takes the place of the provider's own pages; it has no script and no style of its own. */
export function sandboxPage(token: string, account: SandboxAccount): string {
  const links = outcomes
    .map(([outcome, words]) => `<li><a href="/demo/payments/${token}/${outcome}">${words}</a></li>`)
    .join('\n')
  return page(
    'Payments sandbox',
    `<p>Here a payment provider would ask who you are and where your money goes. This demo asks nothing:
choose what the provider decides.</p>
<p>Account ${escapeHtml(account.account_id)}. ${statusWords[account.status]}</p>
<ul>${links}</ul>
<p><a href="${escapeHtml(account.return_url)}">Go back without a decision</a></p>`,
  )
}

export const usedUpPage = page(
  'This link is used up',
  '<p>Links to the payment provider work once and for half an hour. Please open a new one on the <a href="/settings/billing">billing page</a>.</p>',
)

function page(title: string, body: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${title}</title><link rel="stylesheet" href="/demo/outbox.css"></head>
<body><main><h1>${title}</h1>${body}</main></body></html>`
}
