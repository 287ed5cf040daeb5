import { randomBytes } from 'node:crypto'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import {
  folderCommands,
  readNamedFile,
  wholeCommands,
  type FolderCommand,
  type WholeCommand,
} from './backup-commands.ts'
import { checkProviders } from './check-providers.ts'
import { publishDocument, withdrawDocument } from './content/public.ts'
import { listHeld, releaseHeld } from './held-work.ts'
import { BadRuleFile } from './duties/public.ts'
import { importInventory, inventoryColumns } from './inventory/public.ts'
import { listGivenUp, sendAgain } from './marketplace/public.ts'
import { createMerchant, setOnboarded, type NewMerchant } from './merchants/public.ts'
import { NoDatabase, openAdminDatabase } from './platform/admin-database.ts'
import { BackupError } from './platform/backup/manifest.ts'
import { MoveError } from './platform/cells/manifest.ts'
import {
  fail,
  readArguments,
  UsageError,
  usageOf,
  type Arguments,
  type Shell,
  type Terminal,
  type Usage,
} from './platform/command-line.ts'
import { systemClock } from './platform/clock/system-clock.ts'
import type { Config } from './platform/config.ts'
import { openDatabase, type Database, type DatabaseAddress } from './platform/db/database.ts'
import { explainClosed, findClosedMerchant } from './platform/db/closed-merchant.ts'
import { isDatabaseAway } from './platform/db/database-errors.ts'
import { refuseLiveShop } from './platform/db/live-mark.ts'
import { migrate } from './platform/db/migrate.ts'
import { HalfRestored } from './platform/db/restore-mark.ts'
import { explainFileTrouble } from './platform/files/file-trouble.ts'
import { Refused } from './platform/http/refuse.ts'
import { entryOf } from './platform/outside/answers.ts'
import { PostgresStartError } from './platform/postgres/start-error.ts'
import { ConfigError } from './platform/settings/setting.ts'
import { mailsPurpose } from './platform/mail/outgoing.ts'
import { rotateKey } from './platform/upkeep/rotate-key.ts'
import { createSealer } from './platform/sealed-text.ts'
import { readSettings } from './settings.ts'
import { recordCommands } from './record-commands.ts'
import { createUser, resetSecondStep, setPassword } from './sign-in/public.ts'
import { upkeep } from './upkeep.ts'

interface Command extends Usage {
  run(db: Database, given: Arguments, shell: Shell & { readonly address: DatabaseAddress }): Promise<void>
}

const commands: Readonly<Record<string, Command>> = {
  'create-merchant': {
    summary: 'A merchant and its first owner, who is mailed a link that sets a password unless one is given.',
    options: [
      'key',
      'name',
      'timezone',
      'email',
      'phone',
      'street',
      'city',
      'state',
      'zip',
      'owner-email',
      'owner-first-name',
      'owner-last-name',
    ],
    optional: ['street-2'],
    flags: ['owner-password-stdin'],
    async run(db, given, { say, config, input }) {
      const password = given.has('owner-password-stdin') ? await readPassword(input) : undefined
      await createMerchant(db, {
        key: given.get('key'),
        name: given.get('name'),
        email: given.get('email'),
        phone: given.get('phone'),
        timezone: given.get('timezone'),
        address: {
          street_1: given.get('street'),
          street_2: given.find('street-2') ?? null,
          city: given.get('city'),
          state: given.get('state'),
          zipcode: given.get('zip'),
        },
        owner: {
          email: given.get('owner-email'),
          firstName: given.get('owner-first-name'),
          lastName: given.get('owner-last-name'),
          password,
        },
        mail: password === undefined ? mailOf(config) : undefined,
      })
      say(`The merchant "${given.get('key')}" is there. Its owner signs in as ${given.get('owner-email')}.`)
      if (password === undefined) say('A mail with a link that sets the password is on its way to the owner.')
      if (password === undefined && config.smtp === undefined && !config.isDemo)
        say('It waits until SMTP_URL is set; meanwhile: npm run admin -- set-password --email …')
      say(`It takes orders after: npm run admin -- set-onboarded --merchant ${given.get('key')}`)
    },
  },
  'create-user': {
    summary:
      'Somebody who can sign in; with --merchant and --role (merch.owner, merch.manager, merch.user) as staff.',
    options: ['email', 'first-name', 'last-name'],
    optional: ['merchant', 'role', 'phone'],
    flags: ['password-stdin'],
    async run(db, given, { say, input }) {
      const password = await choosePassword(given.has('password-stdin'), input)
      await createUser(db, {
        email: given.get('email'),
        firstName: given.get('first-name'),
        lastName: given.get('last-name'),
        password: password.text,
        phone: given.find('phone'),
        merchantKey: given.find('merchant'),
        role: given.find('role'),
      })
      say(`${given.get('email')} can sign in.`)
      sayPassword(password, say)
    },
  },
  'set-password': {
    summary: 'Another password for a user; ends every session and every mailed link of theirs.',
    options: ['email'],
    flags: ['password-stdin'],
    async run(db, given, { say, input }) {
      const password = await choosePassword(given.has('password-stdin'), input)
      const { endedSessions } = await setPassword(db, { email: given.get('email'), password: password.text })
      say(`The password of ${given.get('email')} is changed; ended sessions: ${endedSessions}.`)
      sayPassword(password, say)
    },
  },
  'set-onboarded': {
    summary:
      "Says that a merchant's payments are set up, so that it takes orders; with --off that they are not.",
    options: ['merchant'],
    flags: ['off'],
    async run(db, given, { say }) {
      const isOnboarded = !given.has('off')
      const merchantKey = given.get('merchant')
      await db.system((statements) => setOnboarded(statements, { merchantKey, isOnboarded }))
      say(`The merchant "${merchantKey}" ${isOnboarded ? 'takes orders' : 'takes no orders'} now.`)
    },
  },
  'reset-two-step': {
    summary:
      'Turns two-step sign-in off for a user who lost the app and the recovery codes; ends every session of theirs.',
    options: ['email'],
    async run(db, given, { say, config }) {
      await resetSecondStep(db, given.get('email'), stationeryOf(config))
      say(`${given.get('email')} signs in with the password alone.`)
    },
  },
  'publish-content': {
    summary:
      'The banner of every dashboard: welcome_message, or merchant_dashboard_news, which goes before it. A message opens in a dialog. With --off it is taken down.',
    options: ['name'],
    optional: ['text', 'message', 'title', 'color'],
    flags: ['off'],
    async run(db, given, { say }) {
      const name = given.get('name')
      if (given.has('off')) {
        const wasThere = await db.system((statements) => withdrawDocument(statements, name))
        say(wasThere ? `"${name}" is taken down.` : `"${name}" was not published.`)
        return
      }
      const document = {
        name,
        text: given.get('text'),
        message: given.find('message'),
        title: given.find('title'),
        color: given.find('color'),
      }
      await db.system((statements) => publishDocument(statements, document))
      say(`"${name}" is published.`)
    },
  },
  'check-providers': {
    summary:
      'Asks every outside service that is set up whether it answers, and tells when each last answered, when it last failed, and why.',
    options: [],
    async run(db, _given, { say, config, setFailed }) {
      const { lines, isWell } = await checkProviders(db, config)
      for (const line of lines) say(line)
      if (!isWell) setFailed()
    },
  },
  held: {
    summary: 'What a restore holds back, and what it ended.',
    options: [],
    async run(db, _given, { say }) {
      for (const line of await listHeld(db)) say(line)
    },
  },
  release: {
    summary:
      'Sends the events that a restore holds back, and all that come. The mails that it holds back are dropped, for they have probably left before; with --mails they are sent.',
    options: [],
    flags: ['mails'],
    async run(db, given, { say }) {
      for (const line of await releaseHeld(db, { withMails: given.has('mails') })) say(line)
    },
  },
  'given-up': {
    summary: 'The events that the marketplace did not take in ten tries over three days, and why.',
    options: [],
    async run(db, _given, { say }) {
      for (const event of await listGivenUp(db))
        say(
          `${event.occurred_at.toISOString()} ${event.webhook_id} ${event.merchant_id} ${event.kind} of order ${event.order_id}: ${event.webhook_error}`,
        )
      say('To send them again: npm run admin -- send-again --all, or --event evt_…')
    },
  },
  'send-again': {
    summary:
      'Sends events to the marketplace again, under their own ids: with --all those that were given up, with --event a single one.',
    options: [],
    optional: ['event'],
    flags: ['all'],
    async run(db, given, { say }) {
      const event = given.find('event')
      if ((event !== undefined) === given.has('all')) fail('Please give either --all or --event evt_….')
      const { count, lines } = await sendAgain(db, event)
      if (event !== undefined && count === 0)
        fail(`There is no event "${event}", or it is being sent right now.`)
      for (const line of lines) say(line)
    },
  },
  'rotate-key': {
    summary:
      'Seals every stored secret with SEALING_KEY. Set it to a new value with the one before in SEALING_KEYS_OLD, restart the servers, run this, then take the old value away.',
    options: [],
    async run(db, _given, { say, config, setFailed }) {
      const results = await rotateKey(db, config.sealingKeys, upkeep)
      for (const { table, sealedAnew, fresh, lost } of results)
        say(`${table}: sealed anew ${sealedAnew}, fresh already ${fresh}, opened by no key ${lost}`)
      if (results.some(({ lost }) => lost > 0)) {
        say('What no key opens is left as it is. Is a value missing in SEALING_KEYS_OLD?')
        setFailed()
      }
    },
  },
  'import-inventory': {
    summary: `Takes over a stock list (CSV). Its first line names the columns, of: ${inventoryColumns.join(', ')}.`,
    options: ['merchant'],
    file: '<file.csv>',
    async run(db, given, { say, env, setFailed }) {
      const { text: csv } = await readNamedFile(given, env)
      const report = await importInventory(db, { merchantKey: given.get('merchant'), csv })
      for (const { line, problem } of report.problems) say(`  line ${line}: ${problem}`)
      say(
        `New: ${report.created}, updated: ${report.updated}, lines that could not be taken: ${report.problems.length}.`,
      )
      if (report.problems.length > 0) setFailed()
    },
  },
  ...recordCommands,
}

interface Password {
  readonly text: string
  readonly isMadeUp: boolean
}

const madeUpBytes = 15

async function choosePassword(isFromInput: boolean, input: Readable): Promise<Password> {
  if (!isFromInput) return { text: randomBytes(madeUpBytes).toString('base64url'), isMadeUp: true }
  return { text: await readPassword(input), isMadeUp: false }
}

async function readPassword(input: Readable): Promise<string> {
  return (await text(input)).replace(/\r?\n$/, '')
}

function mailOf(config: Config): NewMerchant['mail'] {
  if (config.publicUrl === undefined && !config.isDemo)
    throw new ConfigError('The link in the owner’s mail needs PUBLIC_URL, or give --owner-password-stdin.')
  return {
    publicUrl: config.publicUrl ?? `http://127.0.0.1:${config.port}`,
    stationery: stationeryOf(config),
  }
}

function stationeryOf(config: Config) {
  const { seal } = createSealer(config.sealingKeys, mailsPurpose)
  return { product: config.productName, seal }
}

function sayPassword({ text: password, isMadeUp }: Password, say: Shell['say']): void {
  if (isMadeUp) say(`Password, shown only this once: ${password}`)
}

function help(): string {
  const entries = Object.entries({ ...commands, ...wholeCommands, ...folderCommands }).map(
    ([name, command]) => `${name}\n  ${command.summary}\n  ${usageOf(name, command)}`,
  )
  return [
    'Commands for whoever runs the server. They read the same environment as the server (DATABASE_URL, DATA_DIR, …).',
    ...entries,
    'help\n  This page.',
  ].join('\n\n')
}

async function runCommand(
  name: string,
  command: Command | WholeCommand | FolderCommand,
  { args, terminal, setFailed }: { args: string[]; terminal: Terminal; setFailed: () => void },
): Promise<void> {
  const given = readArguments(name, command, args)
  const config = readSettings(terminal.env)
  const shell: Shell = { ...terminal, config, setFailed }
  if ('runOnFolder' in command) return command.runOnFolder(given, shell)
  const {
    address,
    name: database,
    close,
  } = await openAdminDatabase(config, { mayCreate: name === 'restore' })
  try {
    terminal.note(`${database}:\n`)
    if ('runOnWhole' in command) {
      if (config.isDemo && command.needsNoSecret === undefined) await refuseLiveShop(address)
      await command.runOnWhole(address, given, shell)
      return
    }
    await migrate(address, (line) => terminal.note(`${line}\n`))
    if (config.isDemo) await refuseLiveShop(address)
    const db = openDatabase(address, {
      clock: systemClock,
      onIdleError: () => undefined,
      limits: { app: 1, system: 2 },
    })
    try {
      await command.run(db, given, { ...shell, address })
    } finally {
      await db.close()
    }
  } finally {
    await close()
  }
}

/** One sentence for a failure that the person at the keyboard can fix; undefined for our own mistakes. */
function explain(error: unknown): string | undefined {
  if (
    error instanceof UsageError ||
    error instanceof ConfigError ||
    error instanceof PostgresStartError ||
    error instanceof BackupError ||
    error instanceof MoveError ||
    error instanceof HalfRestored ||
    error instanceof NoDatabase ||
    error instanceof BadRuleFile
  )
    return error.message
  if (error instanceof Refused) {
    const { errors } = error.details
    if (errors === undefined || Array.isArray(errors)) return error.message
    return Object.entries(errors)
      .map(([field, problem]) => `${field}: ${String(problem)}`)
      .join('\n')
  }
  const closed = findClosedMerchant(error)
  if (closed !== undefined) return explainClosed(closed)
  const fileTrouble = explainFileTrouble(error)
  if (fileTrouble !== undefined) return fileTrouble
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error
  if (isDatabaseAway(error) || isDatabaseAway(cause)) {
    const said = cause instanceof Error ? cause.message : ''
    return `The database cannot be reached: ${said}. Check DATABASE_URL, or that the server on DATA_DIR is up.`
  }
  return undefined
}

/** `npm run admin -- <given>`; returns the exit code. */
export async function runAdmin(given: readonly string[], terminal: Terminal): Promise<number> {
  const [name = 'help', ...args] = given
  const command = entryOf({ ...commands, ...wholeCommands, ...folderCommands }, name)
  let code = 0
  const setFailed = () => (code = 1)
  try {
    if (name === 'help' || name === '--help') terminal.say(help())
    else if (command === undefined)
      fail(`There is no command "${name}". Run "npm run admin -- help" for the list.`)
    else await runCommand(name, command, { args, terminal, setFailed })
  } catch (error) {
    const sentence = explain(error)
    if (sentence === undefined) throw error
    terminal.note(`${sentence}\n`)
    return error instanceof UsageError ? 2 : 1
  }
  return code
}
