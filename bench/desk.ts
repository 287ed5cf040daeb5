import { chromium } from '@playwright/test'
import pg from 'pg'
import { findChromium } from '../scripts/chromium.mjs'
import {
  measureColdStart,
  measureInteractions,
  measureKept,
  measureOpening,
  measureScrolling,
  type Desk,
} from './desk/browser.ts'
import { measureCombinations } from './desk/combinations.ts'
import { measureReference } from './desk/reference.ts'
import { floodMerchant } from './rig/many-orders.ts'
import { say } from './rig/say.ts'
import { startPostgres, startProcess } from './rig/servers.ts'
import { signIn } from './rig/sign-in.ts'

const isQuick = process.argv.includes('--quick')
const isLarge = process.argv.includes('--million')
/** `--only presses --rounds 5`: one measurement alone, to compare two builds side by side. */
const only = after('--only')
const rounds = Number(after('--rounds') ?? 0)
const oneMerchant = 100_000
const merchants = 20
const perMerchant = 50_000
const asked = isQuick ? 40 : 1_500
const scrolled = isQuick ? 2_000 : 10_000

function after(name: string): string | undefined {
  const at = process.argv.indexOf(name)
  return at === -1 ? undefined : process.argv[at + 1]
}

async function single(desk: Desk, name: string): Promise<void> {
  if (name === 'first') await measureColdStart(desk, rounds || 7)
  else if (name === 'kept') await measureKept(desk, rounds || 10)
  else if (name === 'opening') await measureOpening(desk, rounds || 20)
  else if (name === 'presses') await measureInteractions(desk, rounds || 3)
  else if (name === 'scrolling') await measureScrolling(desk, scrolled)
  else throw new Error(`--only takes first, kept, opening, presses or scrolling, not "${name}"`)
}

async function main(): Promise<void> {
  const { postgres, url } = await startPostgres()
  const app = await startProcess('server/src/main.ts', { DATABASE_URL: url, DEMO: '1' }, '/readyz')
  // Filling may take longer than the server's limit for a statement.
  const pool = new pg.Pool({ connectionString: url, max: 2, options: '-c statement_timeout=0' })
  const browser = await chromium.launch({
    executablePath: findChromium(),
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  })
  try {
    const { origin } = app
    const token = await signIn(origin, 'owner@demo.test')
    const account = { origin, merchantId: 'demo', token }
    say(`Filling one merchant with ${oneMerchant} orders…`)
    await floodMerchant(pool, 'demo', { merchantId: 'demo', orders: oneMerchant, firstNumber: 20_000_000 })
    await pool.query('vacuum analyze')
    const reference = await measureReference(browser)
    say(`\nThe reference, the same work of a page in this browser: ${reference.toFixed(1)} ms`)
    const desk = { browser, origin, token, reference }
    if (only !== undefined) return await single(desk, only)
    await measureCombinations(account, `${oneMerchant} orders in one merchant`, asked)
    await measureColdStart(desk, isQuick ? 3 : 7)
    await measureKept(desk, isQuick ? 3 : 10)
    await measureOpening(desk, isQuick ? 8 : 20)
    await measureInteractions(desk, isQuick ? 1 : 3)
    await measureScrolling(desk, scrolled)
    if (!isLarge) return
    say(`\nFilling ${merchants} more merchants with ${perMerchant} orders each…`)
    for (let shop = 0; shop < merchants; shop++) {
      await floodMerchant(pool, 'other', {
        merchantId: `shop-${shop}`,
        orders: perMerchant,
        firstNumber: 30_000_000 + shop * 1_000_000,
      })
    }
    await pool.query('vacuum analyze')
    await measureCombinations(
      account,
      `${oneMerchant + merchants * perMerchant} orders over ${merchants + 1} merchants`,
      asked,
    )
  } finally {
    await browser.close()
    await pool.end()
    await app.stop()
    await postgres.stop()
  }
}

await main()
