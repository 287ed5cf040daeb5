import nodemailer from 'nodemailer'

interface Mail {
  readonly id: string
  readonly recipient: string
  readonly subject: string
  readonly text: string
  readonly html: string
}

/** Takes a mail to where it goes, or throws. */
export type Mailer = (mail: Mail) => Promise<void>

const waitMs = 15_000

/** Through any SMTP server: `smtp://user:password@host:587` or `smtps://…:465`. */
export function createSmtpMailer(url: string, from: string): Mailer {
  const options = {
    url,
    connectionTimeout: waitMs,
    greetingTimeout: waitMs,
    socketTimeout: waitMs,
  }
  const transport = nodemailer.createTransport(options)
  return async ({ id, recipient, subject, text, html }) => {
    // Made from our own id, so that a mail sent twice after a lost answer is seen to be one.
    const messageId = `<${id}@${from.replace(/^.*@/, '').replace(/>.*$/, '')}>`
    await transport.sendMail({
      from,
      to: recipient,
      subject,
      text,
      html,
      messageId,
      headers: { 'Auto-Submitted': 'auto-generated' },
    })
  }
}

/** Nothing leaves: the demo's outbox shows the stored mails themselves. */
export const keepInOutbox: Mailer = async () => undefined
