import { expect, test } from 'vitest'
import { directionsMessage, maskPhone, phoneToSend } from './directions.ts'

const order = (recipient: object) =>
  ({
    id: '1000123',
    recipient: {
      first_name: 'Dee',
      last_name: 'Nakamura',
      street_1: '118 Pearl St',
      street_2: null,
      street_3: null,
      city: 'New York',
      state: 'NY',
      zipcode: '10005',
      ...recipient,
    },
  }) as Parameters<typeof directionsMessage>[0]

test('the mask grows with the typed text, takes pasted numbers, and lets everything be deleted', () => {
  const typed = ['2', '21', '212', '2125', '212555', '2125550', '2125550123', '21255501239']
  expect(typed.map(maskPhone)).toEqual([
    '(2',
    '(21',
    '(212',
    '(212) 5',
    '(212) 555',
    '(212) 555-0',
    '(212) 555-0123',
    '(212) 555-0123',
  ])
  for (const pasted of ['+1 (212) 555-0123', '12125550123', '212.555.0123', '+12125550123'])
    expect([pasted, maskPhone(pasted)]).toEqual([pasted, '(212) 555-0123'])
  expect(maskPhone('')).toBe('')
  expect(maskPhone('(')).toBe('')
  expect(maskPhone('+44 20 7183')).toBe('+44207183')
})

test('a US phone goes out with +1, and any other text does not', () => {
  expect(phoneToSend('(212) 555-0123')).toBe('+12125550123')
  for (const wrong of ['', '(212) 555-012', '(112) 555-0123', '+442071838750'])
    expect(phoneToSend(wrong)).toBeUndefined()
})

test('the message names the order and the way, no person, and fits', () => {
  const message = directionsMessage(order({}))
  expect(message).toBe(
    'Directions to order #1000123: https://www.google.com/maps/dir/?api=1&destination=118+Pearl+St%2C+New+York%2C+NY+10005',
  )
  expect(message).not.toContain('Nakamura')
  const long = directionsMessage(
    order({ street_1: 'Ä'.repeat(200), street_2: 'x'.repeat(200), city: 'y'.repeat(100) }),
  )
  expect(long.length).toBeLessThanOrEqual(320)
})
