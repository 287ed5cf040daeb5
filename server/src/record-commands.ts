import { once } from 'node:events'
import { createWriteStream, existsSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { finished } from 'node:stream/promises'
import { fromHere, progressLine, readNamedFile } from './backup-commands.ts'
import { openPress } from './documents/public.ts'
import { systemClock } from './platform/clock/system-clock.ts'
import { fail, type Arguments, type Shell, type Usage } from './platform/command-line.ts'
import type { Database, DatabaseAddress } from './platform/db/database.ts'
import { createSealer } from './platform/sealed-text.ts'
import { checkFieldsPurpose } from './orders/public.ts'
import { loadOwnRules } from './duties/public.ts'
import { startSalesReaders, periodProblems, purgeByRule, writeInspectorFile } from './records/public.ts'
import { upkeep } from './upkeep.ts'

interface Command extends Usage {
  run(db: Database, given: Arguments, shell: Shell & { readonly address: DatabaseAddress }): Promise<void>
}

/** A page of orders is some hundred of them. */
const pagesPerLine = 20

/** The file is there whole or not at all, and replaces none. */
async function writeNew<T>(path: string, write: (sink: (bytes: Uint8Array) => Promise<void>) => Promise<T>) {
  const refuseExisting = () => {
    if (existsSync(path)) fail(`${path} cannot be written: there is a file of that name`)
  }
  refuseExisting()
  // A process that is killed, or a machine that loses its power, leaves no half file under the name.
  const draft = `${path}.${process.pid}.unfinished`
  const file = createWriteStream(draft, { flags: 'wx', mode: 0o600, flush: true })
  try {
    await once(file, 'open')
  } catch (error) {
    return fail(`${path} cannot be written: ${error instanceof Error ? error.message : String(error)}`)
  }
  const ended = finished(file)
  // It is told where it is awaited; without a listener a full disk would end the process here.
  ended.catch(() => undefined)
  try {
    const result = await write(async (bytes) => {
      if (file.errored) throw file.errored
      if (!file.write(bytes)) await Promise.race([once(file, 'drain'), ended])
    })
    file.end()
    await ended
    refuseExisting()
    await rename(draft, path)
    return result
  } catch (error) {
    file.destroy()
    await rm(draft, { force: true })
    throw error
  }
}

export const recordCommands: Readonly<Record<string, Command>> = {
  'inspector-file': {
    summary:
      'Writes the file for an inspector (ZIP: CSV and a PDF): the sales of the days from --from to --to, YYYY-MM-DD, with their ID checks, refusals, signatures, couriers’ proofs and overrides, and the rules in force. It holds names and addresses: keep it where only the owner can read it.',
    options: ['merchant', 'from', 'to', 'out'],
    async run(db, given, shell) {
      const asked = { merchantId: given.get('merchant'), from: given.get('from'), to: given.get('to') }
      const [problem] = Object.values(periodProblems(asked))
      if (problem !== undefined) fail(problem)
      const [shop] = await db.systemQuery('select 1 from merchants where merchant_id = $1', [
        asked.merchantId,
      ])
      if (shop === undefined) fail(`There is no merchant "${asked.merchantId}".`)
      const out = fromHere(shell.env, given.get('out'))
      const began = systemClock.readingMs()
      const seconds = () => ((systemClock.readingMs() - began) / 1000).toFixed(1)
      const progress = progressLine(shell)
      const own = openPress(systemClock)
      const source = startSalesReaders({ db, address: shell.address, clock: systemClock })
      let pages = 0
      const { sales } = await writeNew(out, (sink) =>
        writeInspectorFile(
          {
            db,
            sink,
            press: own.press,
            source,
            checkFields: createSealer(shell.config.sealingKeys, checkFieldsPurpose),
            onProgress({ sales: soFar, upTo }) {
              pages += 1
              if (pages % pagesPerLine === 0)
                progress.say(`${soFar} sales so far, up to ${upTo}, ${seconds()} s`)
            },
          },
          asked,
        ),
      ).finally(async () => {
        progress.end()
        await own.stop()
        await source.stop()
      })
      shell.say(`${sales} sales from ${asked.from} to ${asked.to} are in ${out}, after ${seconds()} s.`)
    },
  },
  purge: {
    summary:
      'Removes now what the rules of the shops want gone, as the server does each hour, and names it. With --dry-run it only names it.',
    options: [],
    flags: ['dry-run'],
    async run(db, given, { say }) {
      const isDryRun = given.has('dry-run')
      const count = await purgeByRule(db, upkeep, {
        isDryRun,
        onPurge: ({ merchantId, kind, orderId, recordedAt, rule }) =>
          say(`${merchantId}: ${kind} of order ${orderId}, recorded ${recordedAt}, by rule ${rule}`),
      })
      say(isDryRun ? `Records that would be purged: ${count}.` : `Purged records: ${count}.`)
    },
  },
  'load-duties': {
    summary:
      'Takes over a file of rules (JSON, in the form of server/src/duties/rules.json), whole or not at all. A rule with the id of a shipped one replaces it for good.',
    options: [],
    file: '<rules.json>',
    async run(db, given, { say, env }) {
      const { read, changed } = await loadOwnRules(db, await readNamedFile(given, env))
      say(`${read} rules read, ${changed} new or changed. An owner confirms each one before it counts.`)
    },
  },
}
