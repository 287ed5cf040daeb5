import { expect, test } from 'vitest'
import { ownAddress } from './own-address.ts'

const page = 'https://desk.example/orders/active'

test('LIST-047 GAP-30 the next address uses https if the API does, and stays as it is otherwise', () => {
  const next = 'http://api.example/m/v2/orders?offset=30'
  expect(ownAddress(next, 'https://api.example', page)).toBe('https://api.example/m/v2/orders?offset=30')
  expect(ownAddress(next, 'https://other.example', page)).toBe('https://api.example/m/v2/orders?offset=30')
  expect(ownAddress(next, '', page)).toBe('https://api.example/m/v2/orders?offset=30')
  expect(ownAddress(next, '', 'http://127.0.0.1:4400/')).toBe(next)
})

test('LIST-047 an address on the page’s own host goes to the API’s host, or stays on the page’s', () => {
  expect(ownAddress('http://desk.example/m/v2/orders?offset=30', '', page)).toBe('/m/v2/orders?offset=30')
  expect(ownAddress('/m/v2/orders?offset=30', 'https://api.example', page)).toBe(
    'https://api.example/m/v2/orders?offset=30',
  )
})
