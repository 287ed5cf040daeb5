import { createHash, createVerify, generateKeyPairSync } from 'node:crypto'
import { expect, test } from 'vitest'
import { startMailServer } from '../../../test/providers/mail-server.ts'
import { createSmtpMailer } from './mailer.ts'

const { publicKey, privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
})

const relaxed = (header: string) => {
  const colon = header.indexOf(':')
  const value = header.slice(colon + 1).replaceAll('\r\n', '')
  return `${header.slice(0, colon).toLowerCase()}:${value.replaceAll(/\s+/g, ' ').trim()}`
}

/** Checks RFC 6376 by its text, without the library that signed: relaxed headers and body, RSA and SHA-256. */
function isSigned(source: string): { isGood: boolean; tags: Record<string, string> } {
  const end = source.indexOf('\r\n\r\n')
  const headers = source.slice(0, end).split(/\r\n(?![ \t])/)
  const signature = headers.find((header) => /^dkim-signature:/i.test(header)) ?? ''
  const tags = Object.fromEntries(
    relaxed(signature)
      .slice('dkim-signature:'.length)
      .split(';')
      .map((tag) => [tag.trim().slice(0, tag.trim().indexOf('=')), tag.slice(tag.indexOf('=') + 1)])
      .map(([name = '', value = '']) => [name, value.replaceAll(' ', '')]),
  )
  const body = source
    .slice(end + 4)
    .split('\r\n')
    .map((line) => line.replaceAll(/[ \t]+/g, ' ').replace(/ $/, ''))
    .join('\r\n')
    .replace(/(\r\n)*$/, '\r\n')
  const signed = (tags['h'] ?? '').split(':').map((name) => {
    const found = headers.find((header) => header.toLowerCase().startsWith(`${name.toLowerCase()}:`))
    return found === undefined ? '' : `${relaxed(found)}\r\n`
  })
  const own = relaxed(signature.replace(/(\bb=)[^;]*$/s, '$1'))
  const verifier = createVerify('sha256').update(signed.join('') + own)
  const isBody = createHash('sha256').update(body).digest('base64') === tags['bh']
  return { isGood: isBody && verifier.verify(publicKey, tags['b'] ?? '', 'base64'), tags }
}

test('a mail is signed for its sender’s domain, and any change on the way would show', async () => {
  const server = await startMailServer()
  const from = 'The Desk <desk@shop.example>'
  const mailer = createSmtpMailer({ url: server.url, from, dkim: { selector: 'desk1', privateKey } })
  const text = 'Grüße,  two spaces \n\n\n'
  await mailer({ id: 'id-1', recipient: 'zoe@example.com', subject: 'Für Zoë', text, html: '<p>Hi</p>' })
  await server.stop()
  const source = server.received[0]?.source ?? ''
  const { isGood, tags } = isSigned(source)
  expect(isGood).toBe(true)
  expect(tags).toMatchObject({ d: 'shop.example', s: 'desk1', a: 'rsa-sha256' })
  expect(tags['h']?.toLowerCase().split(':')).toEqual(
    expect.arrayContaining(['from', 'to', 'subject', 'date', 'message-id']),
  )
  for (const [was, is] of [
    ['zoe@example.com', 'eve@example.com'],
    ['<p>Hi</p>', '<p>Ho</p>'],
  ] as const)
    expect(isSigned(source.replace(was, is)).isGood).toBe(false)
})
