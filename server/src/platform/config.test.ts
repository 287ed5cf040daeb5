import { expect, test } from 'vitest'
import { ConfigError, readConfig } from './config.ts'

test('mails leave only from a server that knows its own address, which no request can choose', () => {
  const smtp = { DEMO: '1', SMTP_URL: 'smtp://127.0.0.1:25' }
  expect(() => readConfig(smtp)).toThrow(ConfigError)
  expect(() => readConfig(smtp)).toThrow('PUBLIC_URL')
  const config = readConfig({ ...smtp, PUBLIC_URL: 'https://desk.example.com/' })
  expect([config.smtpUrl, config.publicUrl]).toEqual(['smtp://127.0.0.1:25', 'https://desk.example.com'])
})
