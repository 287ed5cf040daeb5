import { isIP } from 'node:net'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { address, baseAddress, choice, credential, flag, key, number, text, textOr } from './kinds.ts'
import type { Secrets } from '../sealed-text.ts'
import { demoSecrets, whyNoDemo, whyNoSecrets } from '../demo-or-live.ts'
import { ConfigError, settingsPart } from './setting.ts'

const projectRoot = fileURLToPath(new URL('../../../../', import.meta.url))

export const listening = settingsPart({
  title: 'Where it listens',
  settings: {
    PORT: number(
      { least: 0, most: 65_535, usual: 4400, isWhole: true },
      { meaning: 'The one port for dashboard and API. `0` takes a free one.' },
    ),
    HOST: textOr('127.0.0.1', {
      meaning:
        'The address to listen on. `0.0.0.0` listens on every interface, which the demo does not allow.',
    }),
    PUBLIC_URL: text(
      {
        meaning:
          'The address that people use, without a path. Mailed links lead there: outside the demo, invitations and password links need it. An https address also turns `Strict-Transport-Security` on.',
        example: 'https://desk.example.com',
      },
      (value) =>
        /^https?:\/\/[^/]+\/?$/.test(value)
          ? undefined
          : 'must be an address such as https://desk.example.com, without a path.',
    ),
    TRUST_PROXY: text({
      meaning:
        'Whose `X-Forwarded-*` and `X-Request-Id` headers the server believes: `1` for proxies on this machine or a private network, else their addresses and ranges, such as `203.0.113.7, 198.51.100.0/24`. Leave it off without a proxy.',
      without: 'off',
      example: '1',
    }),
    DRAIN_SECONDS: number(
      { least: 0, most: 600, usual: 0 },
      {
        meaning:
          'Seconds between the signal to stop and the stop. `/readyz` answers 503 meanwhile, so that a load balancer notices.',
        example: '10',
      },
    ),
  },
  shape: (given) => ({
    port: given.PORT,
    host: given.HOST,
    publicUrl: given.PUBLIC_URL?.replace(/\/$/, ''),
    trustProxy: readTrustedProxies(given.TRUST_PROXY),
    drainSeconds: given.DRAIN_SECONDS,
  }),
})

/** Our own proxy is near; the client may have written the first of the forwarded addresses. */
function readTrustedProxies(given: string | undefined): string[] {
  if (given === undefined || given === '0') return []
  if (given === '1') return ['loopback', 'linklocal', 'uniquelocal']
  const proxies = given.split(/[\s,]+/).filter((proxy) => proxy !== '')
  for (const proxy of proxies) {
    const [ip = '', bits = '0', ...more] = proxy.split('/')
    const most = { 0: -1, 4: 32, 6: 128 }[isIP(ip)] ?? -1
    if (!/^\d{1,3}$/.test(bits) || Number(bits) > most || more.length > 0)
      throw new ConfigError(
        `TRUST_PROXY must be 1, for proxies on this machine or a private network, or their addresses and ranges, such as 203.0.113.7, 198.51.100.0/24; not "${proxy}".`,
      )
  }
  return proxies
}

export const storage = settingsPart({
  title: 'Where it stores',
  settings: {
    DATA_DIR: text({
      meaning: 'The folder of the embedded database and of the documents.',
      without: '`.data` in the project',
      example: '/srv/cellarhand',
    }),
    DATABASE_URL: text({
      meaning:
        'A PostgreSQL from version 15 on, used in place of the embedded one ([rights](deployment.md#what-every-way-needs)).',
      example: 'postgres://desk:password@db.example.com:5432/cellarhand',
    }),
    READ_URLS: text({
      meaning:
        'Hot standbys of `DATABASE_URL`, with commas or spaces between. They answer requests that only read; every answer is as new as the primary’s ([how](deployment.md#reads-on-standbys)).',
      example:
        'postgres://desk:password@db2.example.com/cellarhand,postgres://desk:password@db3.example.com/cellarhand',
    }),
  },
  shape: (given) => ({
    dataDir: resolve(given.DATA_DIR ?? join(projectRoot, '.data')),
    databaseUrl: given.DATABASE_URL,
    readUrls: readStandbys(given),
    webRoot: join(projectRoot, 'web/dist'),
  }),
})

/** The text may hold a password, so no sentence repeats it. */
function readStandbys({
  DATABASE_URL: primary,
  READ_URLS: given,
}: Record<string, string | undefined>): string[] {
  // A comma may also stand inside an address, as in a password.
  const urls = (given ?? '')
    .replaceAll(/,(postgres|postgresql):\/\//g, ' $1://')
    .split(/\s/)
    .map((url) => (url.endsWith(',') ? url.slice(0, -1) : url))
    .filter((url) => url !== '')
  if (urls.length > 0 && primary === undefined)
    throw new ConfigError('READ_URLS needs DATABASE_URL beside it: the embedded database has no standbys.')
  for (const [index, url] of urls.entries())
    if (!/^postgres(ql)?:\/\//.test(url) || !URL.canParse(url))
      throw new ConfigError(
        `READ_URLS must list addresses such as postgres://desk:password@db2.example.com/cellarhand, with commas or spaces between; its entry ${index + 1} is none.`,
      )
  if (urls.includes(primary ?? '') || new Set(urls).size < urls.length)
    throw new ConfigError('READ_URLS must name each standby once, and not the address in DATABASE_URL.')
  return urls
}

export const demo = settingsPart({
  title: 'Demo',
  settings: {
    DEMO: flag({
      meaning:
        '`1` allows the demo’s own secrets, fills an empty database with two shops, and puts sandboxes in place of outside services. Everybody knows the demo’s secrets, so it does not start with a public `PUBLIC_URL`, a `HOST` beyond this machine or a live provider’s key, nor on a database on which a server outside the demo has started.',
      without: '`1` with the embedded database, `0` with `DATABASE_URL`',
      example: '0',
    }),
  },
  shape(given, env) {
    const isDemo = given.DEMO ?? !env['DATABASE_URL']
    const wrong = isDemo ? whyNoDemo(env) : undefined
    if (wrong !== undefined) throw new ConfigError(wrong)
    return isDemo
  },
})

const demoSecretNames = ['APP_CREDENTIAL', 'MARKETPLACE_CREDENTIAL', 'SESSION_SECRET'] as const

export const secrets = settingsPart({
  title: 'Secrets',
  about:
    'Outside the demo the server needs `APP_CREDENTIAL`, `MARKETPLACE_CREDENTIAL` and `SESSION_SECRET`. It refuses secrets that everybody knows and two that are the same, and a database in which demo accounts still have the demo’s password. `openssl rand -base64 33` makes one. Keep them where the backups are not.',
  settings: {
    APP_CREDENTIAL: credential({
      meaning:
        'The Basic credential with which the dashboard signs people in. The page carries it, so everybody who can open the page knows it.',
      without: 'demo: `dashboard:dashboard`',
    }),
    MARKETPLACE_CREDENTIAL: credential({
      meaning: 'The Basic credential of the marketplace.',
      without: 'demo: `marketplace:marketplace`',
    }),
    METRICS_CREDENTIAL: credential({
      meaning: 'The Basic credential with which Prometheus reads `/metrics`.',
      without: 'demo: open; elsewhere closed',
    }),
    SESSION_SECRET: key({
      meaning:
        'At least 32 characters. Signs session tokens, and encrypts what is stored encrypted where `SEALING_KEY` is not set. A new value signs everybody out. Customers’ open links about substitutes still work. Where it has ever encrypted, put the old value into `SEALING_KEYS_OLD`, restart, and run `npm run admin -- rotate-key` before you take it away.',
      without: 'demo: a fixed text',
    }),
    SEALING_KEY: key({
      meaning:
        'At least 32 characters. Encrypts the webhook secret, waiting mails, carriers’ credentials and the secrets of two-step sign-in. To change it: put the new value here and the one before in `SEALING_KEYS_OLD`, restart, run `npm run admin -- rotate-key`, take the old one away.',
      without: '`SESSION_SECRET`',
    }),
    SEALING_KEYS_OLD: text(
      { meaning: 'Keys that were `SEALING_KEY` before, with commas between.' },
      (value) =>
        splitKeys(value).every((old) => old.length >= 32)
          ? undefined
          : 'must hold keys of at least 32 characters, with commas between.',
    ),
  },
  shape(given, env) {
    const isDemo = demo.read(env)
    const missing = demoSecretNames.filter((name) => given[name] === undefined)
    if (missing.length > 0 && !isDemo)
      throw new ConfigError(
        missing
          .map(
            (name) =>
              `${name} is not set. Outside the demo every secret must be your own: set ${name}, or DEMO=1 to try things out.`,
          )
          .join('\n'),
      )
    const wrong = isDemo ? undefined : whyNoSecrets(env)
    if (wrong !== undefined) throw new ConfigError(wrong)
    const sessionSecret = given.SESSION_SECRET ?? demoSecrets.SESSION_SECRET
    const newest = given.SEALING_KEY ?? sessionSecret
    // The session secret stays among the old keys: before there was a key of its own, that secret sealed everything.
    const old = [...splitKeys(given.SEALING_KEYS_OLD), sessionSecret].filter((one) => one !== newest)
    const sealingKeys: Secrets = [newest, ...new Set(old)]
    return {
      applicationCredential: given.APP_CREDENTIAL ?? demoSecrets.APP_CREDENTIAL,
      marketplaceCredential: given.MARKETPLACE_CREDENTIAL ?? demoSecrets.MARKETPLACE_CREDENTIAL,
      metricsCredential: given.METRICS_CREDENTIAL ?? (isDemo ? ('open' as const) : undefined),
      sessionSecret,
      sealingKeys,
    }
  },
})

function splitKeys(given: string | undefined): string[] {
  return (given ?? '').split(/[\s,]+/).filter((old) => old !== '')
}

export const wording = settingsPart({
  title: 'Words and logs',
  settings: {
    PRODUCT_NAME: textOr('Thirstie', { meaning: 'The product’s name in the dashboard, mails and papers.' }),
    SUPPORT_EMAIL: textOr('support@cellarhand.test', {
      meaning:
        'Receives the mails of “Submit Issue” on the inventory, and of “Support” beside a label that was refused.',
    }),
    LOG_LEVEL: choice(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], {
      meaning: 'The least level that the log shows.',
      without: '`info`',
      example: 'info',
    }),
  },
  shape: (given) => ({
    productName: given.PRODUCT_NAME,
    supportEmail: given.SUPPORT_EMAIL,
    logLevel: given.LOG_LEVEL ?? 'info',
  }),
})

export const elsewhere = settingsPart({
  title: 'Other hosts that the dashboard calls',
  about: 'In place of this server. Each of them must allow this origin (CORS).',
  settings: {
    API_BASE: baseAddress({
      meaning: 'Every call.',
      without: 'this server',
      example: 'https://api.example.com',
    }),
    PAYMENTS_BASE: baseAddress({
      meaning: 'The calls of the payment account.',
      without: '`API_BASE`',
      example: 'https://payments.example.com',
    }),
    CONTENT_BASE: baseAddress({
      meaning: 'The banner’s documents.',
      without: '`API_BASE`',
      example: 'https://content.example.com',
    }),
    IMAGE_HOSTS: text({
      meaning:
        'The hosts of product pictures (`image_spec`), with commas between. The browser shows pictures of no other host.',
      example: 'https://images.example.com, https://*.cdn.example.com',
    }),
    DEV_DOCS_URL: address({
      meaning: 'The documentation that `/developers` shows.',
      without: 'this server’s own',
      example: 'https://docs.example.com/merchant-api',
    }),
  },
  shape: (given) => ({
    api: given.API_BASE,
    payments: given.PAYMENTS_BASE,
    content: given.CONTENT_BASE,
    apiDocumentation: given.DEV_DOCS_URL,
    pictures: readHosts(given.IMAGE_HOSTS),
  }),
})

/** They become part of a header, so each is an address without a path and nothing else. */
function readHosts(given: string | undefined): string[] {
  const hosts = (given ?? '').split(/[\s,]+/).filter((host) => host !== '')
  const wrong = hosts.find((host) => !/^https?:\/\/(\*\.)?[a-z0-9.-]+(:\d+)?$/i.test(host))
  if (wrong !== undefined)
    throw new ConfigError(
      `IMAGE_HOSTS must list addresses without a path, such as https://images.example.com or https://*.example.com, not "${wrong}".`,
    )
  return hosts
}
