import type { HistoryEntry, Order } from '@cellarhand/contract/orders'
import { messages } from '@cellarhand/contract/messages'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { config } from '#lib/calls/config.ts'
import { changesOf, titleOf } from './history-words.ts'

// Files share their modules, and other ones expect the usual name.
const { productName } = config
beforeEach(() => void (config.productName = 'Vintner'))
afterEach(() => void (config.productName = productName))

test('GAP-56 the history names the product by its setting in a stored label failure', () => {
  const details = { code: 'po_box', reason: messages.labelPoBox }
  const [reason] = changesOf({ action: 'label_failed', details } as unknown as HistoryEntry, {} as Order)
  expect(reason).toBe('Cannot ship to a PO Box. Please contact Vintner Support.')
})

test('T23 a parcel that closed by itself was not delivered by the carrier, as far as anybody knows', () => {
  expect(titleOf({ action: 'carrier_deliver', details: null })).toBe('Closed')
  const details = { tracking_code: '1Z1', event: 'delivered' }
  expect(titleOf({ action: 'carrier_deliver', details })).toBe('Delivered by the carrier')
})
