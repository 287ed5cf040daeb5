import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cloneDatabase } from '../test/database/cloned-database.ts'
import { buildApp } from './app.ts'
import { readConfig } from './platform/config.ts'
import { publishDocument, withdrawDocument } from './content/public.ts'
import { systemClock } from './platform/clock/system-clock.ts'

let webRoot: string
let database: Awaited<ReturnType<typeof cloneDatabase>>
beforeAll(async () => {
  webRoot = await mkdtemp(join(tmpdir(), 'page-names-'))
  await writeFile(join(webRoot, 'index.html'), '<meta name="cellarhand-config" content="{}">')
  database = await cloneDatabase()
})
afterAll(async () => {
  await database.drop()
  await rm(webRoot, { recursive: true })
})

async function openPage(environment: Record<string, string> = {}) {
  const config = {
    ...readConfig({ DEMO: '1', PORT: '0', DATA_DIR: database.dataDir, ...environment }),
    webRoot,
  }
  const app = await buildApp({
    clock: systemClock,
    config,
    database: database.address,
    log: pino({ level: 'silent' }),
  })
  const read = async () => {
    const { body } = await app.http.inject({ url: '/', headers: { accept: 'text/html' } })
    const [, published] = /&quot;published&quot;:&quot;([a-z_ ]*)&quot;/.exec(body) ?? []
    return published
  }
  return { db: app.db, read, close: () => app.close() }
}

test('GAP-26 each visit of the page is told what is published just now', async () => {
  const page = await openPage()
  expect(await page.read()).toBe('')
  await page.db.system((statements) =>
    publishDocument(statements, { name: 'welcome_message', text: 'Hello' }),
  )
  expect(await page.read()).toBe('welcome_message')
  await page.db.system((statements) => withdrawDocument(statements, 'welcome_message'))
  expect(await page.read()).toBe('')
  await page.close()
})

test.each([
  ['the content service', { PRISMIC_REPOSITORY: 'harbor' }],
  ['another host', { CONTENT_BASE: 'https://content.example' }],
])('the page asks for every document where only %s knows', async (_, environment) => {
  const page = await openPage(environment)
  expect(await page.read()).toBe('welcome_message merchant_dashboard_news')
  await page.close()
})
