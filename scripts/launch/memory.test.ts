import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from '../runtime.mjs'
import { SERVER_ENV, SERVER_NODE_ARGS } from './memory.mjs'

test('the image starts the server with the same options for its memory as npm start', () => {
  const image = readFileSync(path.join(ROOT, 'Dockerfile'), 'utf8')
  const command = JSON.parse(/^CMD (.*)$/m.exec(image)?.[1] ?? '') as string[]
  expect(command).toEqual(['node', ...SERVER_NODE_ARGS, 'server/src/main.ts'])
  for (const [name, value] of Object.entries(SERVER_ENV)) expect(image).toContain(` ${name}=${value}`)
})
