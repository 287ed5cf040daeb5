import type { Environment } from './settings/setting.ts'

/** What everybody knows: it stands in this repository. */
export const demoSecrets = {
  APP_CREDENTIAL: 'dashboard:dashboard',
  MARKETPLACE_CREDENTIAL: 'marketplace:marketplace',
  SESSION_SECRET: 'demo-session-secret-of-no-worth-outside-the-demo',
}

const guessedFirst = ['secret', 'password', 'changeme', 'change-me', 'cellarhand', 'cellarhand-demo']
const known = new Set([...Object.values(demoSecrets).map(secretPart), ...guessedFirst])

/** The secrets that a shop makes up itself. Two of them must never be one: the page shows the first to everybody. */
const ownSecrets = [
  'APP_CREDENTIAL',
  'MARKETPLACE_CREDENTIAL',
  'SESSION_SECRET',
  'SEALING_KEY',
  'METRICS_CREDENTIAL',
  'MAIL_WEBHOOK_CREDENTIAL',
  'DOORDASH_WEBHOOK_CREDENTIAL',
  'UBER_WEBHOOK_KEY',
  'EASYPOST_WEBHOOK_SECRET',
  'STRIPE_WEBHOOK_SECRET',
] as const

/** Each provider's key, the settings that lead to other addresses than the provider's, and how its test keys begin. */
const providerKeys: readonly { key: string; address: string; second?: string; testKeys?: RegExp }[] = [
  { key: 'STRIPE_SECRET_KEY', address: 'STRIPE_API_BASE', testKeys: /^[rs]k_test_/ },
  { key: 'EASYPOST_API_KEY', address: 'EASYPOST_BASE_URL', testKeys: /^EZTK/ },
  { key: 'DOORDASH_SIGNING_SECRET', address: 'DOORDASH_URL' },
  { key: 'UBER_CLIENT_SECRET', address: 'UBER_URL', second: 'UBER_TOKEN_URL' },
  { key: 'TWILIO_AUTH_TOKEN', address: 'TWILIO_URL' },
  { key: 'SMTP_URL', address: 'SMTP_URL' },
  { key: 'GOOGLE_MAPS_KEY', address: 'GOOGLE_MAPS_URL' },
  { key: 'S3_SECRET_ACCESS_KEY', address: 'S3_ENDPOINT' },
  { key: 'SEGMENT_WRITE_KEY', address: 'SEGMENT_URL' },
  { key: 'SENTRY_DSN', address: 'SENTRY_DSN' },
  { key: 'PRISMIC_ACCESS_TOKEN', address: 'PRISMIC_REPOSITORY' },
]

/** What others gave the shop, and the passwords in addresses: no worse place for one than the page. */
const givenSecrets = ['GOOGLE_MAPS_SIGNING_SECRET', 'DATABASE_URL'] as const

/** `name:secret` of a credential; any other secret is all of it. */
function secretPart(value: string): string {
  return value.slice(value.indexOf(':') + 1)
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(host)
}

function leadsToThisMachine(address: string | undefined): boolean {
  return address !== undefined && URL.canParse(address) && isLoopback(new URL(address).hostname)
}

/** Why these settings are no demo's, in one sentence; undefined when they are. The demo's passwords are printed in the README. */
export function whyNoDemo(env: Environment): string | undefined {
  const host = env['HOST'] || '127.0.0.1'
  if (!isLoopback(host))
    return `HOST=${host} opens the demo, whose secrets everybody knows, to other machines: set HOST=127.0.0.1, or DEMO=0 and secrets of your own.`
  const publicUrl = env['PUBLIC_URL']
  if (publicUrl && !leadsToThisMachine(publicUrl))
    return `PUBLIC_URL=${publicUrl} is a public address, and everybody knows the demo's secrets: take PUBLIC_URL out, or set DEMO=0 and secrets of your own.`
  if (env['TRUST_PROXY'] && env['TRUST_PROXY'] !== '0' && !env['DEMO'])
    return `TRUST_PROXY=${env['TRUST_PROXY']} means that others reach this server through a proxy, and everybody knows the demo's secrets: set DEMO=0 and secrets of your own, or DEMO=1 to show them the demo.`
  const live = providerKeys.find(
    ({ key, address, second = address, testKeys }) =>
      env[key] &&
      testKeys?.test(env[key]) !== true &&
      ![address, second].every((each) => leadsToThisMachine(env[each] || undefined)),
  )
  if (live !== undefined)
    return `${live.key} leads to a live provider, and everybody knows the demo's secrets: take ${live.key} out, or set DEMO=0 and secrets of your own.`
  return undefined
}

interface Given {
  readonly name: string
  /** `name:secret` of a credential whole, and any other secret. */
  readonly whole: string
  readonly label: string
  /** Of an address the password. */
  readonly secret: string
}

/** The fault of a shop's own secrets, in one sentence; undefined when each is its own and nobody can know it. */
export function whyNoSecrets(env: Environment): string | undefined {
  const read = (name: string): Given[] => {
    const whole = env[name]
    if (!whole) return []
    const isCredential = name.endsWith('_CREDENTIAL')
    return [
      {
        name,
        whole,
        label: isCredential ? nameOf(whole) : '',
        secret: isCredential ? secretPart(whole) : (passwordIn(whole) ?? whole),
      },
    ]
  }
  const given = ownSecrets.flatMap(read)
  const weak = given.find(isKnown)
  if (weak !== undefined)
    return `${weak.name} is a secret that everybody knows: set ${weak.name} to one of your own (openssl rand -base64 33 makes one).`
  const ofProviders = [...providerKeys.map(({ key }) => key), ...givenSecrets].flatMap(read)
  for (const [index, first] of given.entries()) {
    // A provider may use one of its keys twice. One that is in the page is everybody's.
    const others = first.name === 'APP_CREDENTIAL' ? [...given, ...ofProviders] : given
    const second = others.slice(index + 1).find((other) => isSame(first, other))
    if (second !== undefined)
      return `${first.name} and ${second.name} are the same secret: set ${second.name} to another one (openssl rand -base64 33 makes one).`
  }
  return undefined
}

/** Without the spaces around it and the cases, which are the first that somebody tries. */
function tried(secret: string): string {
  return secret.trim().toLowerCase()
}

function isKnown({ label, secret }: Given): boolean {
  return tried(secret) === tried(label) || known.has(tried(secret))
}

function isSame(first: Given, second: Given): boolean {
  const others = [second.whole, second.secret].map(tried)
  return [first.whole, first.secret].some((text) => others.includes(tried(text)))
}

function passwordIn(address: string): string | undefined {
  const password = URL.canParse(address) ? new URL(address).password : ''
  if (password === '') return undefined
  try {
    return decodeURIComponent(password)
  } catch {
    // A percent sign that is only itself.
    return password
  }
}

function nameOf(credential: string): string {
  return credential.slice(0, Math.max(0, credential.indexOf(':')))
}
