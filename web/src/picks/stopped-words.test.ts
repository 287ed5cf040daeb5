import { expect, test } from 'vitest'
import { unreportableWords } from './stopped-words.ts'

const accepted = { id: '7', status: 'PAYMENT_APPROVED', hasLine: true, mayReject: true } as const

test.each([
  [
    'accepted',
    accepted,
    '#7 is accepted, so a single line cannot be reported any more. Ask a colleague for more of this bottle, or reject the whole order.',
  ],
  [
    'accepted, by a clerk who cannot reject',
    { ...accepted, mayReject: false },
    '#7 is accepted, so a single line cannot be reported any more. Ask a colleague for more of this bottle.',
  ],
  [
    'with other lines now',
    { ...accepted, hasLine: false },
    'The lines of #7 have changed, and this one is not among them any more. Go on with those it has now.',
  ],
  [
    'not accepted yet',
    { ...accepted, status: 'SUBMITTED', mayReject: false },
    'This line of #7 cannot be reported now. Ask a colleague for more of this bottle.',
  ],
  ['cancelled', { ...accepted, status: 'CANCELLED' }, '#7 was cancelled. Put its bottles back.'],
  ['on its way', { ...accepted, status: 'MERCHANT_SHIPPED' }, '#7 has left the shop already.'],
] as const)('Not enough here, of an order %s', (_which, order, words) =>
  expect(unreportableWords(order)).toBe(words),
)
