import { messages } from '@cellarhand/contract/messages'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { config } from '#lib/calls/config.ts'
import { recordedFailure, standingFailure } from './label-failure.ts'

// Files share their modules, and other ones expect the usual name.
const { productName } = config
beforeEach(() => void (config.productName = 'Vintner'))
afterEach(() => void (config.productName = productName))

const history = [
  {
    at: '2026-11-26T15:00:00Z',
    action: 'label_failed',
    details: { code: 'missing_phone', reason: messages.labelMissingPhone },
  },
]
const recipient = { street_1: 'PO Box 12', street_2: null }

test('GAP-56 the failure beside the button names the product by its setting, stored or foreseen', () => {
  expect(recordedFailure(history)).toEqual({
    code: 'missing_phone',
    reason: 'Recipient phone number is required. Please contact Vintner Support.',
  })
  expect(standingFailure({ recipient })).toEqual({
    code: 'po_box',
    reason: 'Cannot ship to a PO Box. Please contact Vintner Support.',
  })
})
