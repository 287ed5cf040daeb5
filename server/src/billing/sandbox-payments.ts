import { randomBytes } from 'node:crypto'
import type { Database } from '#platform/db/database.ts'
import type { AccountStatus, LinkWish, Payments } from './payments.ts'

const linkMinutes = 30

export interface SandboxAccount {
  readonly merchant_id: string
  readonly account_id: string
  readonly status: AccountStatus | 'new'
  readonly return_url: string
}

/** A payment provider of our own. The buttons on its pages under /demo/payments decide about its accounts. */
export function createSandboxPayments(db: Database, pageUrl: (token: string) => string): Payments {
  async function link({ account, returnUrl }: LinkWish): Promise<string> {
    // Every screen that shows the account requests a link, and must not end the link that another screen has opened.
    const [row] = await db.systemQuery<{ link_token: string }>(
      `update sandbox_payment_accounts set
         link_token = case when link_expires_at > now() then coalesce(link_token, $2) else $2 end,
         link_expires_at = now() + make_interval(mins => $3), return_url = $4
       where account_id = $1 returning link_token`,
      [account.id, randomBytes(24).toString('base64url'), linkMinutes, returnUrl],
    )
    if (row === undefined) throw new Error(`The sandbox has no account ${account.id}`)
    return pageUrl(row.link_token)
  }
  return {
    async createAccount({ merchantId }) {
      const accountId = `acct_sandbox_${merchantId}`
      await db.systemQuery(
        `insert into sandbox_payment_accounts (account_id, merchant_id, status) values ($1, $2, 'new')
         on conflict (account_id) do nothing`,
        [accountId, merchantId],
      )
      return accountId
    },
    async findAccount(accountId) {
      // An account that the admin command has declared set up counts as set up.
      await db.systemQuery(
        `insert into sandbox_payment_accounts (account_id, merchant_id, status)
         select merchant_account_id, merchant_id, case when payment_set_up then 'active' else 'new' end
         from merchants where merchant_account_id = $1
         on conflict (account_id) do nothing`,
        [accountId],
      )
      const [row] = await db.systemQuery<{ status: AccountStatus | 'new' }>(
        'select status from sandbox_payment_accounts where account_id = $1',
        [accountId],
      )
      return (
        row && { id: accountId, status: row.status === 'new' ? 'restricted' : row.status, dashboard: 'full' }
      )
    },
    onboardingLink: link,
    dashboardLink: link,
  }
}

/** Undefined when the link was used or has expired. */
export async function findSandboxAccount(db: Database, token: string): Promise<SandboxAccount | undefined> {
  const [row] = await db.systemQuery<SandboxAccount>(
    `select merchant_id, account_id, status, return_url from sandbox_payment_accounts
     where link_token = $1 and link_expires_at > now()`,
    [token],
  )
  return row
}

/** The provider's decision, which uses up the link. */
export async function decideSandboxAccount(
  db: Database,
  token: string,
  status: AccountStatus,
): Promise<SandboxAccount | undefined> {
  const [row] = await db.systemQuery<SandboxAccount>(
    `update sandbox_payment_accounts set status = $2, link_token = null
     where link_token = $1 and link_expires_at > now() returning merchant_id, account_id, status, return_url`,
    [token, status],
  )
  return row
}
