import { isFinishedForMerchant } from '@cellarhand/contract/order-statuses'
import { getDutyBook } from '#duties/public.ts'
import type { Statements } from '#platform/db/database.ts'
import { refuse } from '#platform/http/refuse.ts'
import type { Letter } from '#platform/mail/letter.ts'
import { promiseMail, type Stationery } from '#platform/mail/outgoing.ts'
import { requireAgainst, withoutQuestion } from '../document/order-duties.ts'
import type { MerchantStep } from '../document/merchant-step.ts'
import { lockOrder } from '../document/lock-order.ts'
import { requireSeen, writeChange } from '../document/move-order.ts'
import { toWireText } from '../document/stored-order.ts'

export interface OwnerMail {
  readonly stationery: Stationery
  /** Without a known address of its own the server sends no link. */
  readonly mailBase: () => string | undefined
}

interface Question {
  readonly rule: string
  readonly question?: string | null | undefined
}

/** Of several questions about one order within so many minutes, the owners get one mail: it leads to all of them. */
const quietMinutes = 10

/** A clerk who may not let an order pass asks the owners. A question that waits for its answer is not asked again. */
export async function askOwner(
  statements: Statements,
  { actor, seenVersion, mail, ...key }: MerchantStep & { readonly mail: OwnerMail },
  { rule, question }: Question,
): Promise<string> {
  const locked = await lockOrder(statements, key)
  await requireSeen(statements, key, {
    locked,
    seenVersion,
    alsoAfter: ['correct_address', 'pass_duty', 'keep_held', 'ask_owner'],
  })
  const { order, deadlineAt, timezone } = locked
  if (isFinishedForMerchant(order.status)) refuse('order_finished')
  const nowMs = statements.clock.nowMs()
  const book = await getDutyBook(statements, key.merchantId)
  const { words } = requireAgainst(order, { book, nowMs }, rule)
  if (order.duties?.asked?.includes(rule))
    return toWireText(order, { deadlineMs: deadlineAt.getTime(), timezone, nowMs })
  const duties = withoutQuestion(order.duties, rule)
  const asked = question?.trim() || null
  await mailOwners(statements, { ...key, mail, clerk: actor, words, question: asked })
  return writeChange(statements, key.merchantId, {
    locked,
    change: {
      action: 'ask_owner',
      actor,
      patch: { duties: { ...duties, asked: [...(duties.asked ?? []), rule] } },
      details: { rule, words, ...(asked !== null && { question: asked }) },
    },
  })
}

interface MailToOwners extends Pick<MerchantStep, 'merchantId' | 'orderId'> {
  readonly mail: OwnerMail
  readonly clerk: MerchantStep['actor']
  readonly words: string
  readonly question: string | null
}

interface OwnerRow {
  readonly email: string
  readonly first_name: string
}

async function mailOwners(
  statements: Statements,
  { merchantId, orderId, mail, ...asked }: MailToOwners,
): Promise<void> {
  const { query } = statements
  const [owners, [mailed]] = await Promise.all([
    query<OwnerRow>(
      `select email, first_name from users
       where merchant_id = $1 and 'merch.owner' = any (roles) and user_id is distinct from $2 order by user_id`,
      [merchantId, asked.clerk.id],
    ),
    query(
      `select 1 from order_history
       where merchant_id = $1 and order_id = $2 and action = 'ask_owner'
         and at > now() - interval '${quietMinutes} minutes' limit 1`,
      [merchantId, orderId],
    ),
  ])
  if (mailed !== undefined) return
  const base = mail.mailBase()
  const url = base && `${base}/orders/view/${orderId}`
  for (const { email, first_name: firstName } of owners)
    await promiseMail(
      statements,
      { recipient: email, merchantId, stationery: mail.stationery },
      letterOf(firstName, { ...asked, orderId, url }),
    )
}

interface Asked extends Pick<MailToOwners, 'clerk' | 'words' | 'question' | 'orderId'> {
  readonly url: string | undefined
}

function letterOf(firstName: string, { orderId, clerk, words, question, url }: Asked): Letter {
  return {
    subject: `Order #${orderId} waits for your decision`,
    greeting: `Hello ${firstName},`,
    paragraphs: [
      `${clerk.name} asks you to decide about order #${orderId}. This is against it:`,
      words,
      // In one line: nothing in it can look like a part of the mail.
      ...(question === null ? [] : [`${clerk.name} writes: “${question.replaceAll(/\s+/g, ' ')}”`]),
      'You can let it pass with a reason, or keep it held.',
    ],
    ...(url !== undefined && { button: { label: 'Open the order', url } }),
    footnote: 'You get this mail because you are an owner of the shop.',
  }
}
