import type { S3Settings } from './files/s3-store.ts'
import { files } from './files/file-settings.ts'
import type { SmtpSettings } from './mail/mailer.ts'
import { mail } from './mail/mail-settings.ts'
import type { Secrets } from './sealed-text.ts'
import { demo, elsewhere, listening, secrets, storage, wording } from './settings/server-settings.ts'
import type { Environment } from './settings/setting.ts'

/** The server's own settings; a slice reads its part from `env`. */
export interface Config {
  readonly port: number
  readonly host: string
  readonly dataDir: string
  readonly databaseUrl: string | undefined
  /** Hot standbys of the database; often none. */
  readonly readUrls: readonly string[]
  readonly isDemo: boolean
  readonly publicUrl: string | undefined
  readonly productName: string
  /** The hosts of the dashboard's calls that do not go to this server. */
  readonly elsewhere: Elsewhere
  /** The support desk's address, for mails from the dashboard. */
  readonly supportEmail: string
  readonly applicationCredential: string
  readonly marketplaceCredential: string
  readonly sessionSecret: string
  /** The first key seals stored secrets; the others still open older ones. */
  readonly sealingKeys: Secrets
  /** Addresses and ranges of the proxies whose `X-Forwarded-*` headers the server trusts. */
  readonly trustProxy: readonly string[]
  readonly logLevel: string
  readonly webRoot: string
  /** Without it, mails stay in the outbox. */
  readonly smtp: SmtpSettings | undefined
  /** name:secret with which a mail provider reports returned mails. */
  readonly mailWebhookCredential: string | undefined
  /** name:secret with which /metrics is read; `open` in the demo without one. */
  readonly metricsCredential: string | undefined
  /** Between the signal to stop and the stop: time for a load balancer to see that /readyz refuses. */
  readonly drainSeconds: number
  /** Without it, files go below `dataDir`. */
  readonly s3: S3Settings | undefined
  readonly env: Environment
}

/** Addresses of other hosts; undefined if this server does the work itself. */
export interface Elsewhere {
  readonly api: string | undefined
  readonly payments: string | undefined
  readonly content: string | undefined
  readonly apiDocumentation: string | undefined
  /** Hosts of product pictures, as the browser's policy names them. */
  readonly pictures: readonly string[]
}

/** @throws {ConfigError} for the first unusable part; `checkParts` reports all of them. */
export function readConfig(env: Environment): Config {
  // First, since it is the reason behind what the others would say.
  const isDemo = demo.read(env)
  const { smtp, webhookCredential } = mail.read(env)
  return {
    ...listening.read(env),
    ...storage.read(env),
    ...wording.read(env),
    ...secrets.read(env),
    isDemo,
    elsewhere: elsewhere.read(env),
    smtp,
    mailWebhookCredential: webhookCredential,
    s3: files.read(env),
    env,
  }
}
