import { expect, test } from 'vitest'
import { ownAddress } from './own-address.ts'

const page = 'https://desk.example/orders/active'

test('LIST-047 GAP-30 the next address is asked for with https where the API has it, and as it is where it has not', () => {
  const next = 'http://api.example/m/v2/orders?offset=30'
  expect(ownAddress(next, 'https://api.example', page)).toBe('https://api.example/m/v2/orders?offset=30')
  expect(ownAddress(next, 'https://other.example', page)).toBe('https://api.example/m/v2/orders?offset=30')
  expect(ownAddress(next, '', page)).toBe('https://api.example/m/v2/orders?offset=30')
  expect(ownAddress(next, '', 'http://127.0.0.1:4400/')).toBe(next)
})

test('LIST-047 what the page itself was served from is asked for where it is', () => {
  expect(ownAddress('http://desk.example/m/v2/orders?offset=30', '', page)).toBe('/m/v2/orders?offset=30')
  expect(ownAddress('/m/v2/orders?offset=30', 'https://api.example', page)).toBe(
    'https://api.example/m/v2/orders?offset=30',
  )
})
