import { createPrivateKey } from 'node:crypto'
import { credential, text } from '../settings/kinds.ts'
import { ConfigError, settingsPart } from '../settings/setting.ts'
import type { SmtpSettings } from './mailer.ts'

export interface MailSettings {
  /** Without it, mails stay in the outbox. */
  readonly smtp: SmtpSettings | undefined
  /** name:secret with which a mail provider reports returned mails. */
  readonly webhookCredential: string | undefined
}

export const mail = settingsPart({
  title: 'Mail',
  about: '[Providers](providers.md#mail-smtp) says more.',
  settings: {
    SMTP_URL: text(
      {
        meaning:
          'The server that takes outgoing mail. Needs `MAIL_FROM` and `PUBLIC_URL`. Without it the demo keeps its mails for `/demo/outbox`, and elsewhere mails wait, encrypted, until it is set.',
        example: 'smtp://user:password@mail.example.com:587',
      },
      (value) =>
        /^smtps?:\/\/[^/]+/.test(value)
          ? undefined
          : 'must be an address such as smtp://user:password@mail.example.com:587.',
    ),
    MAIL_FROM: text(
      {
        meaning: 'The sender of every mail: one address of your own domain.',
        example: 'The Shop <desk@shop.example>',
      },
      (value) =>
        /^(?:[^<>@\r\n]*<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/.test(value)
          ? undefined
          : 'must be one address of your own domain, such as The Shop <desk@shop.example>.',
    ),
    DKIM_SELECTOR: text({ meaning: 'Signs mails, together with `DKIM_PRIVATE_KEY`.', example: 'desk' }),
    DKIM_PRIVATE_KEY: text({
      meaning: 'The key as PEM in base64, in one line: `base64 -w0 dkim.pem`.',
    }),
    MAIL_WEBHOOK_CREDENTIAL: credential({
      meaning: 'The credential with which Postmark or SendGrid reports mails that came back.',
    }),
  },
  shape(given, env): MailSettings {
    const webhookCredential = given.MAIL_WEBHOOK_CREDENTIAL
    if (given.SMTP_URL === undefined) return { smtp: undefined, webhookCredential }
    if (given.MAIL_FROM === undefined)
      throw new ConfigError(
        'SMTP_URL needs MAIL_FROM beside it, one address of your own domain such as The Shop <desk@shop.example>: other servers refuse mail from anywhere else.',
      )
    // Otherwise a request's Host header would decide the links in the mails.
    if (!env['PUBLIC_URL'])
      throw new ConfigError('SMTP_URL needs PUBLIC_URL beside it: mails carry links to this server.')
    const dkim = readDkim(given.DKIM_SELECTOR, given.DKIM_PRIVATE_KEY)
    return { smtp: { url: given.SMTP_URL, from: given.MAIL_FROM, dkim }, webhookCredential }
  },
})

function readDkim(selector: string | undefined, encoded: string | undefined): SmtpSettings['dkim'] {
  if (selector === undefined && encoded === undefined) return undefined
  if (selector === undefined || encoded === undefined)
    throw new ConfigError('DKIM_SELECTOR and DKIM_PRIVATE_KEY go together.')
  const privateKey = Buffer.from(encoded, 'base64').toString('utf8')
  try {
    createPrivateKey(privateKey)
  } catch {
    throw new ConfigError('DKIM_PRIVATE_KEY must be a private key in PEM, in one line: base64 -w0 dkim.pem.')
  }
  return { selector, privateKey }
}
