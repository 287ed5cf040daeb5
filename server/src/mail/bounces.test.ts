import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDesk, type Desk, type Shop } from '../../test/desk.ts'
import { startMailServer, type MailServer } from '../../test/providers/mail-server.ts'
import { readBounces } from './read-bounces.ts'
import { subscriptionLink } from './read-ses-events.ts'

const unknown = '5.1.1 nobody@example.com: User unknown'
let server: MailServer
let answer: () => number | Promise<number> = () => 250
let desk: Desk
let shop: Shop
beforeAll(async () => {
  server = await startMailServer({ refused: { 'nobody@example.com': unknown }, answer: () => answer() })
  desk = await openDesk({
    SMTP_URL: server.url,
    MAIL_FROM: 'The Desk <desk@shop.example>',
    PUBLIC_URL: 'http://127.0.0.1:4400',
    MAIL_WEBHOOK_CREDENTIAL: 'postmark:a-long-webhook-secret',
  })
  shop = await desk.openShop()
})
afterAll(async () => {
  await desk.stop()
  await server.stop()
})

const invite = (email: string) =>
  desk.call('POST /c/v2/merchants/{tmk}/users', {
    as: shop.owner,
    params: { tmk: shop.key },
    body: { email, first_name: 'Zoe', last_name: 'Bell', roles: ['merch.user'] },
  })
const problemOf = async (email: string) => {
  const { body } = await desk.call('GET /c/v2/merchants/{tmk}/users', {
    as: shop.owner,
    params: { tmk: shop.key },
  })
  return body.items.find((user) => user.email === email)?.invitation_problem
}
const tell = (body: unknown, credential = 'postmark:a-long-webhook-secret') =>
  desk.call('POST /providers/v1/mail/events', {
    as: `Basic ${Buffer.from(credential).toString('base64')}`,
    body,
  })
const sent = (email: string) =>
  expect.poll(() => server.received.filter(({ to }) => to.includes(email)).length).toBeGreaterThan(0)
/** The person's newest mail, once it is recorded as sent. */
async function mailTo(email: string): Promise<{ mail_id: string; sent_at: Date }> {
  for (;;) {
    const { rows } = await desk.owner.query(
      'select mail_id, sent_at from outgoing_mails where recipient = $1 order by created_at desc limit 1',
      [email],
    )
    if (rows[0]?.sent_at) return rows[0]
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

test('an invitation to a mailbox that does not exist shows the mail server’s words beside the invitation', async () => {
  await invite('nobody@example.com')
  await expect.poll(() => problemOf('nobody@example.com')).toBe(`550 ${unknown}`)
  await invite('somebody@example.com')
  await sent('somebody@example.com')
  expect(await problemOf('somebody@example.com')).toBeNull()
})

test.each([250, 451])(
  'a bounce that the provider reports before the mail server answers %i counts, and the mail is sent no more',
  async (code) => {
    const email = `early${code}@example.com`
    const told = Promise.withResolvers<void>()
    answer = async () => {
      const { rows } = await desk.owner.query('select mail_id from outgoing_mails where recipient = $1', [
        email,
      ])
      const bounce = {
        email,
        event: 'bounce',
        reason: '550 mailbox is full',
        'smtp-id': `<${rows[0].mail_id}@x>`,
      }
      await tell([{ ...bounce, timestamp: Math.floor(Date.now() / 1000) }])
      told.resolve()
      return code
    }
    await invite(email)
    await told.promise
    answer = () => 250
    const noted =
      'select from outgoing_mails where recipient = $1 and (sent_at is not null or error is not null)'
    await expect.poll(async () => (await desk.owner.query(noted, [email])).rows.length).toBe(1)
    expect(await problemOf(email)).toBe('550 mailbox is full')
    const waiting = 'select from outgoing_mails where recipient = $1 and given_up_at is null'
    expect((await desk.owner.query(waiting, [email])).rows).toEqual([])
  },
)

test('the provider reports a later bounce once, and the next invitation clears it', async () => {
  const email = 'later@example.com'
  const invited = await invite(email)
  const { mail_id } = await mailTo(email)
  const event = {
    email,
    event: 'bounce',
    reason: '550 mailbox is full',
    'smtp-id': `<${mail_id}@shop.example>`,
    timestamp: Math.floor(Date.now() / 1000),
  }
  expect((await tell([event, { ...event, event: 'open' }], 'postmark:wrong')).status).toBe(403)
  expect(await problemOf(email)).toBeNull()
  for (let times = 0; times < 2; times++) expect((await tell([event, event])).status).toBe(200)
  expect(await problemOf(email)).toBe('550 mailbox is full')
  await tell([{ ...event, reason: 'another reason' }])
  expect(await problemOf(email)).toBe('550 mailbox is full')
  await desk.call('POST /c/v2/merchants/{tmk}/users/{id}/invitation', {
    as: shop.owner,
    params: { tmk: shop.key, id: invited.body.uuid },
  })
  await expect.poll(() => problemOf(email)).toBeNull()
  await mailTo(email)
  // Reports the old mail again, which says nothing about the new one.
  await tell([event])
  expect(await problemOf(email)).toBeNull()
})

test('a mail that SendGrid dropped did not arrive either', async () => {
  const email = 'dropped@example.com'
  await invite(email)
  const { mail_id } = await mailTo(email)
  await tell([{ email, event: 'dropped', reason: 'Bounced Address', 'smtp-id': `<${mail_id}@shop.example>` }])
  expect(await problemOf(email)).toBe('Bounced Address')
})

test('of two mails to a person a report that names none means the newer one', async () => {
  const email = 'twice@example.com'
  const invited = await invite(email)
  const first = await mailTo(email)
  await desk.call('POST /c/v2/merchants/{tmk}/users/{id}/invitation', {
    as: shop.owner,
    params: { tmk: shop.key, id: invited.body.uuid },
  })
  const second = await mailTo(email)
  expect(second.mail_id).not.toBe(first.mail_id)
  const BouncedAt = new Date(second.sent_at.getTime() + 60_000).toISOString()
  await tell({ RecordType: 'Bounce', Type: 'HardBounce', Email: email, Details: '550 gone', BouncedAt })
  expect(await problemOf(email)).toBe('550 gone')
})

test('Postmark names no mail of ours, so the newest mail sent before the report counts', async () => {
  const email = 'Post@Example.com'
  await invite(email)
  const { sent_at } = await mailTo(email)
  const event = {
    RecordType: 'Bounce',
    Type: 'HardBounce',
    Email: 'post@example.com',
    Details: 'smtp;550 gone',
  }
  await tell({ ...event, BouncedAt: new Date(sent_at.getTime() - 60_000).toISOString() })
  expect(await problemOf(email)).toBeNull()
  await tell({ ...event, BouncedAt: new Date(sent_at.getTime() + 60_000).toISOString() })
  expect(await problemOf(email)).toBe('smtp;550 gone')
})

test.each([
  'SoftBounce',
  'BadEmailAddress',
  'Blocked',
  'DnsError',
  'ManuallyDeactivated',
  'SpamNotification',
])('Postmark’s %s counts as a bounce, and its AutoResponder does not', (name) => {
  const event = { RecordType: 'Bounce', Type: name, Email: 'a@example.com' }
  expect(readBounces(event, new Date())).toMatchObject([{ recipient: 'a@example.com', reason: name }])
  expect(readBounces({ ...event, Type: 'AutoResponder' }, new Date())).toEqual([])
})

/** Amazon SNS posts Amazon SES's events as JSON in JSON, with a text type. */
const tellAsAmazon = (body: object, credential?: string) =>
  desk.send('POST', '/providers/v1/mail/events', {
    body: JSON.stringify(body),
    as: credential && `Basic ${Buffer.from(credential).toString('base64')}`,
    headers: { 'content-type': 'text/plain; charset=UTF-8', 'x-amz-sns-message-type': 'Notification' },
  })
const bounced = (email: string, messageId?: string) => ({
  notificationType: 'Bounce',
  bounce: {
    bounceType: 'Permanent',
    bounceSubType: 'General',
    bouncedRecipients: [
      {
        emailAddress: email,
        action: 'failed',
        status: '5.1.1',
        diagnosticCode: 'smtp; 550 5.1.1 no such user',
      },
    ],
    timestamp: new Date(Date.now() + 60_000).toISOString(),
  },
  mail: { messageId: '0101-ses', destination: [email], commonHeaders: { messageId } },
})
const inTopic = (event: object) => ({
  Type: 'Notification',
  MessageId: 'da41e39f',
  TopicArn: 'arn:aws:sns:us-east-1:123456789012:bounces',
  Message: JSON.stringify(event),
})

test('Amazon is asked for its credential, then reports bounces and complaints, with or without our id of the mail', async () => {
  const email = 'amazon@example.com'
  await invite(email)
  const { mail_id } = await mailTo(email)
  const asked = await tellAsAmazon(inTopic(bounced(email)))
  expect([asked.status, asked.headers.get('www-authenticate')]).toEqual([401, 'Basic realm="cellarhand"'])
  expect((await tellAsAmazon(inTopic(bounced(email)), 'postmark:wrong')).status).toBe(403)
  const other = bounced(email, '<00000000-0000-4000-8000-000000000000@shop.example>')
  await tellAsAmazon(inTopic(other), 'postmark:a-long-webhook-secret')
  expect(await problemOf(email)).toBeNull()
  const event = inTopic(bounced(email, `<${mail_id}@shop.example>`))
  expect((await tellAsAmazon(event, 'postmark:a-long-webhook-secret')).status).toBe(200)
  expect(await problemOf(email)).toBe('smtp; 550 5.1.1 no such user')

  const annoyed = 'annoyed@example.com'
  await invite(annoyed)
  await mailTo(annoyed)
  const complaint = {
    eventType: 'Complaint',
    complaint: { complainedRecipients: [{ emailAddress: annoyed }], timestamp: bounced('').bounce.timestamp },
  }
  await tellAsAmazon(complaint, 'postmark:a-long-webhook-secret')
  expect(await problemOf(annoyed)).toBe('The recipient reported it as spam.')
})

test('a subscription is confirmed only through Amazon’s own link', () => {
  const link = 'https://sns.us-east-1.amazonaws.com/?Action=ConfirmSubscription&Token=t'
  const asking = { Type: 'SubscriptionConfirmation', SubscribeURL: link }
  expect(subscriptionLink(asking)).toBe(link)
  for (const SubscribeURL of [
    'http://sns.us-east-1.amazonaws.com/',
    'https://sns.us-east-1.amazonaws.com.example/',
    'https://sns.us-east-1.amazonaws.com@example.com/',
    'https://s3.us-east-1.amazonaws.com/',
    'sns',
    7,
  ])
    expect(subscriptionLink({ ...asking, SubscribeURL })).toBeUndefined()
  expect(subscriptionLink({ ...asking, Type: 'Notification' })).toBeUndefined()
})

test('without a credential in the settings, nobody can report bounces', async () => {
  const open = await desk.another({ MAIL_WEBHOOK_CREDENTIAL: '' })
  const answer = await open.send('POST', '/providers/v1/mail/events', { body: [], as: 'Basic Og==' })
  expect(answer.status).toBe(403)
})

test.each([
  [null],
  ['text'],
  [[null, 7, {}]],
  [{ RecordType: 'Bounce', Type: 'Transient', Email: 'a@example.com' }],
  [{ RecordType: 'Delivery', Email: 'a@example.com' }],
  [[{ event: 'delivered', email: 'a@example.com' }, { event: 'bounce' }]],
  [{ Type: 'Notification', Message: '{"half":' }],
  [{ Type: 'Notification', Message: '"Successfully validated SNS topic"' }],
  [{ Type: 'Notification', Message: 'null' }],
  [{ notificationType: 'Bounce' }],
  [{ notificationType: 'Bounce', bounce: { bouncedRecipients: [null, {}, 'a@example.com'] } }],
  [{ notificationType: 'Delivery', delivery: { recipients: ['a@example.com'] } }],
  [
    {
      eventType: 'Bounce',
      bounce: {
        bounceType: 'Transient',
        bounceSubType: 'General',
        bouncedRecipients: [{ emailAddress: 'a@example.com' }],
      },
    },
  ],
])('%j says of no mail that it came back', (body) => {
  expect(readBounces(body, new Date())).toEqual([])
})
