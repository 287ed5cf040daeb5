import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { liveSettings, openTurnableDesk, type TurnableDesk } from '../../../test/desk.ts'
import { eventually } from '../../../test/eventually.ts'
import { startMailServer, type MailServer } from '../../../test/providers/mail-server.ts'
import { createSealer } from '../sealed-text.ts'
import { createSmtpMailer, type Mailer } from './mailer.ts'
import { promiseMail, startMailSender } from './outgoing.ts'
import { noteBounce } from './undelivered.ts'

const sealer = createSealer(['a-secret-of-forty-characters-for-the-test'], 'mails')
const stationery = { product: 'Thirstie', seal: sealer.seal }
const letter = {
  subject: 'Für Zoë: 50 % & more',
  greeting: 'Hello <Zoë>,',
  paragraphs: ['One & two.'],
  button: { label: 'Enter', url: 'https://desk.example.com/x?a=1&b=2' },
  footnote: 'Small print.',
}

let desk: TurnableDesk
let running: { stop(): Promise<void> }[]
beforeEach(async () => {
  // Its own sender would take the mails of the demo before this test's does.
  desk = await openTurnableDesk(liveSettings)
  running = []
})
afterEach(async () => {
  for (const each of running) await each.stop()
  await desk.stop()
})

async function mailServer(answer?: (count: number) => number): Promise<MailServer> {
  const server = await startMailServer(answer === undefined ? {} : { answer })
  running.push(server)
  return server
}
function sender(mailer: Mailer) {
  const errors: unknown[] = []
  const started = startMailSender({
    db: desk.app.db,
    mailer,
    open: sealer.open,
    onError: (error) => errors.push(error),
  })
  running.unshift(started)
  return started
}
const smtp = ({ url }: MailServer) =>
  createSmtpMailer({ url, from: 'The Desk <desk@shop.example>', dkim: undefined })
const promise = async (recipient = 'zoe@example.com') =>
  desk.app.db.system(async (statements) =>
    promiseMail(statements, { recipient, merchantId: null, stationery }, letter),
  )
const stored = async () => (await desk.owner.query('select * from outgoing_mails order by created_at')).rows
/** Minutes until the next try, once the last one has failed. */
const wait = async () => {
  const [{ due_at, error }] = await stored()
  return error === null ? undefined : Math.round((due_at.getTime() - Date.now()) / 60_000)
}
const until = async (isSo: () => Promise<boolean> | boolean) =>
  eventually(async () => expect(await isSo()).toBe(true))
const beDue = async () => desk.owner.query('update outgoing_mails set due_at = now()')

test('a promised mail reaches a real mail server, as text and as HTML, with its headers', async () => {
  const server = await mailServer()
  const { wake } = sender(smtp(server))
  await promise()
  wake()
  await until(async () => (await stored())[0]?.sent_at !== null)
  expect(server.received).toHaveLength(1)
  const [{ from, to, source } = { from: '', to: [], source: '' }] = server.received
  expect([from, to]).toEqual(['desk@shop.example', ['zoe@example.com']])
  const [row] = await stored()
  const headers = source
    .slice(0, source.indexOf('\r\n\r\n'))
    .replaceAll(/\r\n\s+/g, ' ')
    .split('\r\n')
  expect(headers).toEqual(
    expect.arrayContaining([
      'From: The Desk <desk@shop.example>',
      'To: zoe@example.com',
      `Message-ID: <${row.mail_id}@shop.example>`,
      'Auto-Submitted: auto-generated',
      'MIME-Version: 1.0',
      expect.stringMatching(/^Date: \w{3}, \d{1,2} \w{3} \d{4} /),
      expect.stringMatching(/^Subject: =\?UTF-8\?/),
      expect.stringMatching(/^Content-Type: multipart\/alternative;/),
    ]),
  )
  const boundary = /boundary="([^"]+)"/.exec(source)?.[1] ?? 'none'
  const parts = source.split(`--${boundary}`).slice(1, -1)
  expect(parts.map((part) => /Content-Type: ([^;]+)/.exec(part)?.[1])).toEqual(['text/plain', 'text/html'])
  const [text = '', html = ''] = parts.map(decoded)
  expect(text).toContain('Hello <Zoë>,\n\nOne & two.\n\nEnter:\nhttps://desk.example.com/x?a=1&b=2\n')
  expect(html).toContain('Hello &lt;Zoë&gt;,')
  expect(html).toContain('href="https://desk.example.com/x?a=1&amp;b=2"')
})

function decoded(part: string): string {
  const body = part.slice(part.indexOf('\r\n\r\n') + 4)
  if (/Content-Transfer-Encoding: base64/i.test(part))
    return Buffer.from(body.replace(/--.*$/s, ''), 'base64').toString('utf8')
  const bytes = body
    .replaceAll(/=\r\n/g, '')
    .replaceAll('\r\n', '\n')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return /quoted-printable/i.test(part) ? Buffer.from(bytes, 'latin1').toString('utf8') : bytes
}

describe('a mail server that refuses', () => {
  test('for now (4xx) is asked again a minute later, then after five', async () => {
    const server = await mailServer((count) => (count < 3 ? 451 : 250))
    const { wake } = sender(smtp(server))
    await promise()
    for (const [attempt, minutes] of [
      [1, 1],
      [2, 5],
    ] as const) {
      // A new mail is due already, and may be taken at once.
      if (attempt > 1) await beDue()
      wake()
      // Until the failure is stored: before that, the row shows the lease, which has another length.
      await until(async () => (await stored())[0]?.attempts === attempt && (await wait()) === minutes)
      expect((await stored())[0]).toMatchObject({ sent_at: null, given_up_at: null })
      await desk.owner.query('update outgoing_mails set error = null')
    }
    await beDue()
    wake()
    await until(async () => (await stored())[0]?.sent_at !== null)
    expect([server.tries(), server.received.length]).toEqual([3, 1])
  })

  test('for good (5xx) is not tried again', async () => {
    const server = await mailServer(() => 550)
    const { wake } = sender(smtp(server))
    await promise()
    wake()
    await until(async () => (await stored())[0]?.given_up_at !== null)
    await beDue()
    wake()
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(server.tries()).toBe(1)
    expect((await stored())[0]).toMatchObject({
      attempts: 1,
      sent_at: null,
      error: expect.stringContaining('550'),
      bounced_at: expect.any(Date),
      bounce_reason: '550 as told',
    })
  })

  test('our own password keeps the mail, because this server’s settings are wrong', async () => {
    const server = await startMailServer({ password: 'right' })
    running.push(server)
    const wrong = sender(smtp(server))
    await promise()
    wrong.wake()
    await until(async () => (await stored())[0]?.error !== null)
    expect((await stored())[0]).toMatchObject({ given_up_at: null, bounced_at: null, attempts: 1 })
    // It looks once more before it rests, and would take the mail that is due again.
    await wrong.stop()
    running = running.filter((each) => each !== wrong)
    const { wake: wakeRight } = sender(smtp({ ...server, url: server.url.replace('wrong', 'right') }))
    await beDue()
    wakeRight()
    await until(async () => (await stored())[0]?.sent_at !== null)
  })

  test('or is away altogether is tried for a day in all, and then no more', async () => {
    const { wake } = sender(
      createSmtpMailer({ url: 'smtp://127.0.0.1:1', from: 'desk@shop.example', dkim: undefined }),
    )
    await promise()
    for (let attempt = 1; attempt <= 6; attempt++) {
      if (attempt > 1) await beDue()
      wake()
      await until(async () => {
        const [row] = await stored()
        return row.attempts === attempt && row.error !== null
      })
      await desk.owner.query('update outgoing_mails set error = null')
    }
    expect((await stored())[0]).toMatchObject({ attempts: 6, given_up_at: expect.any(Date) })
  })
})

test('of two competing senders, one sends each mail', async () => {
  const server = await mailServer()
  const senders = [sender(smtp(server)), sender(smtp(server)), sender(smtp(server))]
  const recipients = Array.from({ length: 40 }, (_, index) => `person-${index}@example.com`)
  await Promise.all(recipients.map((recipient) => promise(recipient)))
  for (const { wake } of senders) wake()
  await until(async () => (await stored()).every(({ sent_at }) => sent_at !== null))
  expect(server.received.flatMap(({ to }) => to).toSorted()).toEqual(recipients.toSorted())
})

test('a bounce that names a mail which nobody has tried to send yet is another mail’s, and the mail is sent', async () => {
  await promise()
  const [{ mail_id: mailId, recipient }] = await stored()
  await noteBounce(desk.app.db, { mailId, recipient, reason: 'full', at: new Date(desk.clock.nowMs()) })
  const server = await mailServer()
  sender(smtp(server)).wake()
  await until(() => server.received.length === 1)
})

test('merchants come in turn, mails without one as well, and a mail that somebody waits for goes before the others of its merchant', async () => {
  const begun: string[] = []
  const under: (() => void)[] = []
  const started = sender(async ({ recipient }) => {
    begun.push(recipient)
    await new Promise<void>((resolve) => under.push(resolve))
  })
  const [busy, calm] = [await desk.openShop(), await desk.openShop()]
  const promiseTo = async (
    recipient: string,
    addressed: { merchantId: string | null; isAwaited?: boolean },
  ) =>
    desk.app.db.system(async (statements) =>
      promiseMail(statements, { recipient, stationery, ...addressed }, letter),
    )
  for (let n = 1; n <= 9; n++) await promiseTo(`busy ${n}`, { merchantId: busy.key })
  started.wake()
  await until(() => begun.length === 5)
  await promiseTo('awaited', { merchantId: busy.key, isAwaited: true })
  await promiseTo('calm', { merchantId: calm.key })
  await promiseTo('nobody’s', { merchantId: null })
  for (let count = 6; count <= 9; count++) {
    under.shift()?.()
    await until(() => begun.length === count)
  }
  expect(begun.slice(5)).toEqual(['calm', 'nobody’s', 'awaited', 'busy 6'])
  // A stop waits for the mails under way.
  const stopped = started.stop()
  for (const end of under) end()
  await stopped
})

test('a slow mail server is waited for: no other sender takes its mail meanwhile, and within ten seconds when this one dies', async () => {
  const finish: (() => void)[] = []
  const taken: string[] = []
  const slow: Mailer = async ({ recipient }) => {
    taken.push(recipient)
    await new Promise<void>((resolve) => finish.push(resolve))
  }
  const first = sender(slow)
  await promise()
  first.wake()
  await until(() => taken.length === 1)
  const leaseEnd = async () => (await stored())[0]?.due_at.getTime()
  const taking = await leaseEnd()
  const { rows } = await desk.owner.query<{ seconds: number }>(
    'select extract(epoch from due_at - now())::float8 as seconds from outgoing_mails',
  )
  // The next look of another sender comes within a second.
  expect(rows[0]?.seconds).toBeLessThan(9)
  await desk.turn(2_000)
  await until(async () => (await leaseEnd()) > taking)
  await promise('other@example.com')
  const second = sender(slow)
  second.wake()
  await until(() => taken.length === 2)
  expect(taken).toContain('other@example.com')
  for (const each of finish) each()
  await until(async () => (await stored()).every(({ sent_at }) => sent_at !== null))
  expect(taken).toHaveLength(2)
})

test('after a sender’s death, the next sends its mail', async () => {
  const server = await mailServer()
  await promise()
  await desk.owner.query(`update outgoing_mails set attempts = 1, due_at = now() + interval '300 s'`)
  const { wake } = sender(smtp(server))
  wake()
  await new Promise((resolve) => setTimeout(resolve, 200))
  expect(server.tries()).toBe(0)
  await beDue()
  wake()
  await until(async () => (await stored())[0]?.sent_at !== null)
})

test('a rolled-back mail is never sent', async () => {
  const server = await mailServer()
  const { wake } = sender(smtp(server))
  const failed = desk.app.db.system(async (statements) => {
    await promiseMail(statements, { recipient: 'a@example.com', merchantId: null, stationery }, letter)
    throw new Error('changed my mind')
  })
  await expect(failed).rejects.toThrow('changed my mind')
  await promise('b@example.com')
  wake()
  await until(async () => (await stored()).every(({ sent_at }) => sent_at !== null))
  expect(server.received.flatMap(({ to }) => to)).toEqual(['b@example.com'])
})
