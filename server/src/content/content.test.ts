import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDesk, type Desk } from '../../test/desk.ts'

let desk: Desk
beforeAll(async () => {
  desk = await openDesk()
})
afterAll(() => desk.stop())

const draw = (name: string) => desk.call('GET /images/bottles/{name}', { params: { name } })

test('VIEW-010 GAP-116 anybody gets a bottle drawn in the requested size, cached for a day', async () => {
  const { status, headers, text } = await draw('red-1-380x490.svg')
  expect(status).toBe(200)
  expect(headers.get('content-type')).toContain('image/svg+xml')
  expect(headers.get('cache-control')).toBe('public, max-age=86400')
  expect(text).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" width="380" height="490">.*<\/svg>$/)
  expect(text).not.toMatch(/script|style=|href/)
  expect((await draw('can-7-100x100.svg')).text).not.toBe((await draw('can-2-100x100.svg')).text)
})

test('an unknown kind is a 404, and a malformed name is refused', async () => {
  expect((await draw('teapot-1-380x490.svg')).status).toBe(404)
  for (const name of ['red', 'red-1-0x0.svg', 'red-1-99999x10.svg', '../red-1-10x10.svg', '<svg>'])
    expect((await draw(name)).status).toBe(400)
})
