import { createPrivateKey } from 'node:crypto'
import { join, resolve } from 'node:path'
import { isIP } from 'node:net'
import { fileURLToPath } from 'node:url'
import type { S3Settings } from './files/s3-store.ts'
import type { SmtpSettings } from './mail/mailer.ts'
import type { Secrets } from './sealed-text.ts'

export type Environment = Readonly<Record<string, string | undefined>>

export interface Config {
  readonly port: number
  readonly host: string
  readonly dataDir: string
  readonly databaseUrl: string | undefined
  readonly isDemo: boolean
  readonly publicUrl: string | undefined
  readonly productName: string
  /** Whether the hidden bank-account form is shown (GAP-151). */
  readonly showsLegacyBilling: boolean
  readonly stripe: StripeConfig | undefined
  /** Where the dashboard's calls go that go elsewhere than to this server. */
  readonly elsewhere: Elsewhere
  /** Where failures that dashboards report are handed on to; they are logged in any case. */
  readonly errorReportUrl: string | undefined
  readonly sentryDsn: string | undefined
  readonly prismic: { readonly repository: string; readonly accessToken: string | undefined } | undefined
  readonly segment: { readonly url: string; readonly writeKey: string } | undefined
  /** What error reports call this version. */
  readonly release: string
  /** Where the dashboard's mails to the support desk go. */
  readonly supportEmail: string
  /** Where the advertisement of the carrier screen leads; empty: nowhere. */
  readonly carrierPartnerUrl: string
  /** Without it no labels are bought, but for the sandbox's in the demo. */
  readonly easyPost: EasyPostConfig | undefined
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
  /** Between the signal to stop and the stop: time for a load balancer to see that /readyz refuses. */
  readonly drainSeconds: number
  /** How long the sandbox's parcels take from one station to the next. */
  readonly sandboxStepSeconds: number
  /** Where the slices read the settings of their own providers. */
  readonly env: Environment
  /** Without it files are kept below `dataDir`. */
  readonly s3: S3Settings | undefined
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

interface StripeConfig {
  readonly secretKey: string
  readonly webhookSecret: string | undefined
  readonly apiBase: string | undefined
}

interface EasyPostConfig {
  readonly apiKey: string
  readonly webhookSecret: string
  readonly baseUrl: string
}

/** A setting that is missing or wrong; the message names it and says what to do. */
export class ConfigError extends Error {}

const projectRoot = fileURLToPath(new URL('../../../', import.meta.url))

export function readConfig(env: Environment): Config {
  const databaseUrl = env['DATABASE_URL'] || undefined
  const isDemo =
    env['DEMO'] === undefined || env['DEMO'] === '' ? databaseUrl === undefined : env['DEMO'] === '1'
  const secret = (name: string, demoValue: string): string => {
    const value = env[name]
    if (value) return value
    if (isDemo) return demoValue
    throw new ConfigError(
      `${name} is not set. Outside the demo every secret must be your own: set ${name}, or DEMO=1 to try things out.`,
    )
  }
  const credential = (name: string, demoValue: string): string => {
    const value = secret(name, demoValue)
    if (!/^[^:]+:.+$/.test(value)) throw new ConfigError(`${name} must have the form name:secret.`)
    return value
  }
  const sessionSecret = secret('SESSION_SECRET', 'demo-session-secret-of-no-worth-outside-the-demo')
  if (sessionSecret.length < 32) throw new ConfigError('SESSION_SECRET must have at least 32 characters.')

  const publicUrl = readPublicUrl(env['PUBLIC_URL'])
  const smtp = readSmtp(env)
  // Otherwise a request's Host header would choose where the links in the mails lead.
  if (smtp !== undefined && publicUrl === undefined)
    throw new ConfigError('SMTP_URL needs PUBLIC_URL beside it: mails carry links to this server.')

  return {
    port: readPort(env['PORT']),
    host: env['HOST'] || '127.0.0.1',
    dataDir: resolve(env['DATA_DIR'] || join(projectRoot, '.data')),
    databaseUrl,
    isDemo,
    publicUrl,
    productName: env['PRODUCT_NAME'] || 'Thirstie',
    carrierPartnerUrl: readPartnerUrl(env['CARRIER_PARTNER_URL'], isDemo),
    showsLegacyBilling: env['SHOW_LEGACY_BILLING'] === '1',
    stripe: readStripe(env),
    elsewhere: {
      api: readBase(env, 'API_BASE'),
      payments: readBase(env, 'PAYMENTS_BASE'),
      content: readBase(env, 'CONTENT_BASE'),
      apiDocumentation: readAddress(env, 'DEV_DOCS_URL'),
      pictures: readHosts(env, 'IMAGE_HOSTS'),
    },
    errorReportUrl: readAddress(env, 'ERROR_REPORT_URL'),
    sentryDsn: readAddress(env, 'SENTRY_DSN'),
    prismic: env['PRISMIC_REPOSITORY']
      ? { repository: env['PRISMIC_REPOSITORY'], accessToken: env['PRISMIC_ACCESS_TOKEN'] || undefined }
      : undefined,
    segment: env['SEGMENT_WRITE_KEY']
      ? {
          url: (readAddress(env, 'SEGMENT_URL') ?? 'https://api.segment.io').replace(/\/$/, ''),
          writeKey: env['SEGMENT_WRITE_KEY'],
        }
      : undefined,
    release: env['RELEASE'] || 'cellarhand',
    easyPost: readEasyPost(env),
    supportEmail: env['SUPPORT_EMAIL'] || 'support@cellarhand.test',
    applicationCredential: credential('APP_CREDENTIAL', 'dashboard:dashboard'),
    marketplaceCredential: credential('MARKETPLACE_CREDENTIAL', 'marketplace:marketplace'),
    sessionSecret,
    sealingKeys: readSealingKeys(env, sessionSecret),
    trustProxy: readTrustedProxies(env['TRUST_PROXY']),
    logLevel: env['LOG_LEVEL'] || 'info',
    webRoot: join(projectRoot, 'web/dist'),
    smtp,
    mailWebhookCredential: env['MAIL_WEBHOOK_CREDENTIAL']
      ? credential('MAIL_WEBHOOK_CREDENTIAL', '')
      : undefined,
    drainSeconds: readDrainSeconds(env['DRAIN_SECONDS']),
    s3: readS3(env),
    sandboxStepSeconds: Number(env['SANDBOX_STEP_SECONDS'] || '120') || 120,
    env,
  }
}

/** Who is near is one's own proxy, and not the client who may have written the first of the forwarded addresses. */
function readTrustedProxies(text: string | undefined): string[] {
  if (!text || text === '0') return []
  if (text === '1') return ['loopback', 'linklocal', 'uniquelocal']
  const proxies = text.split(/[\s,]+/).filter((proxy) => proxy !== '')
  for (const proxy of proxies) {
    const [address = '', bits = '0', ...more] = proxy.split('/')
    const most = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1
    if (!/^\d{1,3}$/.test(bits) || Number(bits) > most || more.length > 0)
      throw new ConfigError(
        `TRUST_PROXY must be 1, for proxies on this machine or a private network, or their addresses and ranges, such as 203.0.113.7, 198.51.100.0/24; not "${proxy}".`,
      )
  }
  return proxies
}

function readS3(env: Environment): S3Settings | undefined {
  const endpoint = readBucket(env, 'S3_ENDPOINT')
  if (endpoint === undefined) return undefined
  const publicEndpoint =
    env['S3_PUBLIC_ENDPOINT'] === 'none' ? undefined : (readBucket(env, 'S3_PUBLIC_ENDPOINT') ?? endpoint)
  const accessKeyId = env['S3_ACCESS_KEY_ID']
  const secretAccessKey = env['S3_SECRET_ACCESS_KEY']
  if (!accessKeyId || !secretAccessKey)
    throw new ConfigError('S3_ENDPOINT needs S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY beside it.')
  const region = env['S3_REGION'] || 'auto'
  return { endpoint, publicEndpoint, region, accessKeyId, secretAccessKey }
}

function readBucket(env: Environment, name: string): string | undefined {
  const address = env[name]
  if (!address) return undefined
  if (!/^https?:\/\/[^/]+\/.+/.test(address))
    throw new ConfigError(
      `${name} must be the address of a bucket: https://s3.us-east-1.amazonaws.com/my-bucket.`,
    )
  return address
}

/** The session secret stays among the old ones: it sealed everything before there was a key of its own. */
function readSealingKeys(env: Environment, sessionSecret: string): Secrets {
  const newest = env['SEALING_KEY'] || sessionSecret
  const old = (env['SEALING_KEYS_OLD'] ?? '').split(/[\s,]+/).filter((key) => key !== '')
  if ([newest, ...old].some((key) => key.length < 32))
    throw new ConfigError('SEALING_KEY and each of SEALING_KEYS_OLD must have at least 32 characters.')
  return [newest, ...new Set([...old, sessionSecret].filter((key) => key !== newest))]
}

function readPort(text: string | undefined): number {
  const port = Number(text || '4400')
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new ConfigError(`PORT must be a number from 0 to 65535, not "${text}".`)
  return port
}

function readDrainSeconds(text: string | undefined): number {
  const seconds = Number(text || '0')
  if (!(seconds >= 0 && seconds <= 600))
    throw new ConfigError(`DRAIN_SECONDS must be a number from 0 to 600, not "${text}".`)
  return seconds
}

function readAddress(env: Environment, name: string): string | undefined {
  const text = env[name]
  if (!text) return undefined
  if (!/^https?:\/\/[^/\s]+/.test(text) || !URL.canParse(text))
    throw new ConfigError(`${name} must be an address such as https://example.com/path.`)
  return text
}

/** Whatever stands here becomes part of a header, so it is an address without a path and nothing else. */
function readHosts(env: Environment, name: string): string[] {
  const hosts = (env[name] ?? '').split(/[\s,]+/).filter((host) => host !== '')
  const wrong = hosts.find((host) => !/^https?:\/\/(\*\.)?[a-z0-9.-]+(:\d+)?$/i.test(host))
  if (wrong !== undefined)
    throw new ConfigError(
      `${name} must list addresses without a path, such as https://images.example.com or https://*.example.com, not "${wrong}".`,
    )
  return hosts
}

/** Paths are put behind it. */
function readBase(env: Environment, name: string): string | undefined {
  return readAddress(env, name)?.replace(/^(.*[^/])\/*$/s, '$1')
}

function readStripe(env: Environment): StripeConfig | undefined {
  const secretKey = env['STRIPE_SECRET_KEY']
  if (!secretKey) return undefined
  const dashboard = env['STRIPE_DASHBOARD'] || 'full'
  // Stripe takes fees and losses of express accounts on itself from API 2026-11-18.endive on; its library speaks 2026-10-28.
  if (dashboard !== 'full')
    throw new ConfigError(
      `STRIPE_DASHBOARD must be full, not "${dashboard}": Stripe does not make other accounts with the version of its API that this server speaks. Leave the setting out, then start again.`,
    )
  return {
    secretKey,
    webhookSecret: env['STRIPE_WEBHOOK_SECRET'] || undefined,
    apiBase: readAddress(env, 'STRIPE_API_BASE'),
  }
}

function readPublicUrl(text: string | undefined): string | undefined {
  if (!text) return undefined
  if (!/^https?:\/\/[^/]+\/?$/.test(text))
    throw new ConfigError('PUBLIC_URL must be an address such as https://desk.example.com, without a path.')
  return text.replace(/\/$/, '')
}

function readEasyPost(env: Environment): EasyPostConfig | undefined {
  const apiKey = env['EASYPOST_API_KEY']
  if (!apiKey) return undefined
  const webhookSecret = env['EASYPOST_WEBHOOK_SECRET']
  if (!webhookSecret)
    throw new ConfigError(
      'EASYPOST_API_KEY needs EASYPOST_WEBHOOK_SECRET beside it: it proves who reports on parcels.',
    )
  const baseUrl = (env['EASYPOST_BASE_URL'] || 'https://api.easypost.com/v2').replace(/\/$/, '')
  return { apiKey, webhookSecret, baseUrl }
}

function readPartnerUrl(text: string | undefined, isDemo: boolean): string {
  if (!text) return isDemo ? 'https://example.com/group-rates' : ''
  if (!/^https:\/\/[^/\s]+/.test(text))
    throw new ConfigError('CARRIER_PARTNER_URL must be an address that starts with https://.')
  return text
}

function readSmtp(env: Environment): SmtpSettings | undefined {
  const url = env['SMTP_URL']
  if (!url) return undefined
  if (!/^smtps?:\/\/[^/]+/.test(url))
    throw new ConfigError('SMTP_URL must be an address such as smtp://user:password@mail.example.com:587.')
  const from = env['MAIL_FROM'] ?? ''
  if (!/^(?:[^<>@\r\n]*<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/.test(from))
    throw new ConfigError(
      'SMTP_URL needs MAIL_FROM beside it, one address of your own domain such as The Shop <desk@shop.example>: other servers refuse mail from anywhere else.',
    )
  return { url, from, dkim: readDkim(env) }
}

function readDkim(env: Environment): SmtpSettings['dkim'] {
  const selector = env['DKIM_SELECTOR']
  const encoded = env['DKIM_PRIVATE_KEY']
  if (!selector && !encoded) return undefined
  if (!selector || !encoded) throw new ConfigError('DKIM_SELECTOR and DKIM_PRIVATE_KEY go together.')
  const privateKey = Buffer.from(encoded, 'base64').toString('utf8')
  try {
    createPrivateKey(privateKey)
  } catch {
    throw new ConfigError('DKIM_PRIVATE_KEY must be a private key in PEM, in one line: base64 -w0 dkim.pem.')
  }
  return { selector, privateKey }
}
