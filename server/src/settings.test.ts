import { expect, test } from 'vitest'
import { configurationPage, exampleFile } from '../test/settings-page.ts'
import { readSettings, settingsParts } from './settings.ts'

test('docs/configuration.md and .env.example match the declared settings', async () => {
  await expect(configurationPage(settingsParts)).toMatchFileSnapshot('../../docs/configuration.md')
  await expect(exampleFile(settingsParts)).toMatchFileSnapshot('../../.env.example')
})

test('no variable is declared twice', () => {
  const names = settingsParts.flatMap(({ settings }) => Object.keys(settings))
  expect(names.length).toBeGreaterThan(60)
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
})

test('every fault is reported at once, one sentence each, before anything starts', () => {
  const wrong = {
    DEMO: 'yes',
    PORT: '70000',
    DRAIN_SECONDS: 'ten',
    LOG_LEVEL: 'loud',
    MAPS_HOURLY_LIMIT: 'many',
    SANDBOX_STEP_SECONDS: '-1',
    COURIER: 'uber',
    STRIPE_DASHBOARD: 'half',
    SEGMENT_URL: 'segment',
    S3_ENDPOINT: 'https://store.example/bucket',
  }
  let said = ''
  try {
    readSettings(wrong)
  } catch (error) {
    said = (error as Error).message
  }
  const sentences = said.split('\n')
  expect(sentences).toHaveLength(Object.keys(wrong).length)
  for (const name of Object.keys(wrong))
    expect(
      sentences.filter((sentence) => sentence.includes(name)),
      name,
    ).toHaveLength(1)
})

test('outside the demo every missing secret is named', () => {
  expect(() => readSettings({ DEMO: '0' })).toThrow(
    /^APP_CREDENTIAL is not set\..*\nMARKETPLACE_CREDENTIAL is not set\..*\nSESSION_SECRET is not set\..*$/,
  )
})

test('half of a provider’s settings is refused, and the missing part is named', () => {
  expect(() => readSettings({ DEMO: '1', UBER_CLIENT_ID: 'x', UBER_WEBHOOK_KEY: 'y' })).toThrow(
    'UBER_CLIENT_ID and UBER_WEBHOOK_KEY needs UBER_CUSTOMER_ID and UBER_CLIENT_SECRET beside it.',
  )
})
