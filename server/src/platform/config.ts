import type { S3Settings } from './files/s3-store.ts'
import { files } from './files/file-settings.ts'
import type { SmtpSettings } from './mail/mailer.ts'
import { mail } from './mail/mail-settings.ts'
import type { Secrets } from './sealed-text.ts'
import { demo, elsewhere, listening, secrets, storage, wording } from './settings/server-settings.ts'
import type { Environment } from './settings/setting.ts'

/** What the server itself is told; a slice reads its own part from `env`. */
export interface Config {
  readonly port: number
  readonly host: string
  readonly dataDir: string
  readonly databaseUrl: string | undefined
  readonly isDemo: boolean
  readonly publicUrl: string | undefined
  readonly productName: string
  /** Where the dashboard's calls go that go elsewhere than to this server. */
  readonly elsewhere: Elsewhere
  /** Where the dashboard's mails to the support desk go. */
  readonly supportEmail: string
  readonly applicationCredential: string
  readonly marketplaceCredential: string
  readonly sessionSecret: string
  /** What is stored encrypted is sealed with the first, and opened with any. */
  readonly sealingKeys: Secrets
  /** Addresses and ranges of proxies whose `X-Forwarded-*` headers are believed. */
  readonly trustProxy: readonly string[]
  readonly logLevel: string
  readonly webRoot: string
  /** Without it mails stay in the outbox. */
  readonly smtp: SmtpSettings | undefined
  /** name:secret with which a mail provider tells of mails that came back. */
  readonly mailWebhookCredential: string | undefined
  /** name:secret with which /metrics is read; `open` in the demo without one. */
  readonly metricsCredential: string | undefined
  /** Between the signal to stop and the stop: time for a load balancer to see that /readyz refuses. */
  readonly drainSeconds: number
  /** Without it files are kept below `dataDir`. */
  readonly s3: S3Settings | undefined
  readonly env: Environment
}

/** Addresses of other hosts, each undefined where this server does it itself. */
export interface Elsewhere {
  readonly api: string | undefined
  readonly payments: string | undefined
  readonly content: string | undefined
  readonly apiDocumentation: string | undefined
  /** Hosts of product pictures, as the browser's policy names them. */
  readonly pictures: readonly string[]
}

/** @throws {ConfigError} for the first part that cannot be used; `checkParts` tells of all of them. */
export function readConfig(env: Environment): Config {
  const { smtp, webhookCredential } = mail.read(env)
  return {
    ...listening.read(env),
    ...storage.read(env),
    ...wording.read(env),
    ...secrets.read(env),
    isDemo: demo.read(env),
    elsewhere: elsewhere.read(env),
    smtp,
    mailWebhookCredential: webhookCredential,
    s3: files.read(env),
    env,
  }
}
