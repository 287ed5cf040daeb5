import type { HealthRecord } from '../outside/health.ts'
import { ProviderError, type FailureKind } from '../outside/provider-error.ts'

interface Mail {
  readonly id: string
  readonly recipient: string
  readonly subject: string
  readonly text: string
  readonly html: string
}

/** The mail server will never take this mail; the message gives its reason. */
export class MailBounced extends Error {}

/** Sends a mail. Throws MailBounced if it can never go, anything else if a later try may succeed. */
export type Mailer = (mail: Mail) => Promise<void>

export interface SmtpSettings {
  /** `smtp://user:password@host:587` or `smtps://…:465`. */
  readonly url: string
  /** Its domain is used for the message ids and the signature. */
  readonly from: string
  readonly dkim: { readonly selector: string; readonly privateKey: string } | undefined
}

export const mailServerName = 'The mail server'
const waitMs = 15_000

/** Loaded with the first mail: the library takes 25 MB. */
async function openTransport({ url, from, dkim }: SmtpSettings) {
  const { default: nodemailer } = await import('nodemailer')
  const options = {
    url,
    connectionTimeout: waitMs,
    greetingTimeout: waitMs,
    socketTimeout: waitMs,
    ...(dkim === undefined
      ? {}
      : {
          dkim: { domainName: domainOf(from), keySelector: dkim.selector, privateKey: dkim.privateKey },
        }),
  }
  return nodemailer.createTransport(options)
}

function domainOf(from: string): string {
  const [domain = ''] = from.slice(from.lastIndexOf('@') + 1).split('>')
  return domain.trim()
}

export function createSmtpMailer(settings: SmtpSettings, health?: HealthRecord): Mailer {
  let transport: ReturnType<typeof openTransport> | undefined
  const { from } = settings
  return async ({ id, recipient, subject, text, html }) => {
    try {
      transport ??= openTransport(settings)
      await (
        await transport
      ).sendMail({
        from,
        to: recipient,
        subject,
        text,
        html,
        // The message id comes from our own id, so that a mail sent twice after a lost answer is recognised as one.
        messageId: `<${id}@${domainOf(from)}>`,
        headers: { 'Auto-Submitted': 'auto-generated' },
      })
    } catch (error) {
      const failure = explain(error)
      const reply = bounceOf(error)
      if (reply === undefined) health?.failed(failure)
      else health?.succeeded(mailServerName)
      throw reply === undefined ? error : new MailBounced(reply)
    }
    health?.succeeded(mailServerName)
  }
}

/** Connects and signs in without sending. Throws ProviderError. */
export async function checkMailServer(settings: SmtpSettings, health: HealthRecord): Promise<void> {
  const transport = await openTransport(settings)
  try {
    await transport.verify()
    health.succeeded(mailServerName)
  } catch (error) {
    const failure = explain(error)
    health.failed(failure)
    throw failure
  } finally {
    transport.close()
  }
}

/** Sends nothing: the demo's outbox shows the stored mails. */
export const keepInOutbox: Mailer = async () => undefined

interface SmtpError {
  readonly code: string
  /** The SMTP command that failed, such as `RCPT TO`. */
  readonly command: string
  readonly responseCode: number
  readonly response: string
}

function readError(error: unknown): SmtpError {
  const { code = '', command = '', responseCode = 0, response = '' } = error as Partial<SmtpError>
  return { code, command, responseCode, response }
}

/**
 * A 5xx to the recipient or to the mail itself is final (RFC 5321, 4.2.1). A 5xx to our sign-in or our own address is a
 * fault of this server's settings: those mails wait until the settings are right.
 */
function bounceOf(error: unknown): string | undefined {
  const { command, responseCode, response } = readError(error)
  const isAboutTheMail = command === 'RCPT TO' || command === 'DATA'
  return isAboutTheMail && responseCode >= 500 && responseCode < 600 ? response.slice(0, 500) : undefined
}

function explain(error: unknown): ProviderError {
  const { code, responseCode } = readError(error)
  return new ProviderError({
    provider: mailServerName,
    kind: kindOf(code, responseCode),
    status: responseCode || undefined,
    code: code || undefined,
    cause: error,
  })
}

function kindOf(code: string, responseCode: number): FailureKind {
  if (code === 'EAUTH') return 'unauthorized'
  if (responseCode >= 500) return 'rejected'
  if (responseCode >= 400) return 'unavailable'
  if (code === 'ETIMEDOUT') return 'no_answer'
  return code === 'ECONNECTION' || code === 'ESOCKET' || code === 'EDNS' ? 'refused_connection' : 'broken_off'
}
