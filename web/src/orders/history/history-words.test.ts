import type { HistoryEntry, Order } from '@cellarhand/contract/orders'
import { messages } from '@cellarhand/contract/messages'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { config } from '#lib/calls/config.ts'
import { changesOf } from './history-words.ts'

// Files share their modules, and other ones expect the usual name.
const { productName } = config
beforeEach(() => void (config.productName = 'Vintner'))
afterEach(() => void (config.productName = productName))

test('GAP-56 the history names the product by its setting in a stored label failure', () => {
  const details = { code: 'po_box', reason: messages.labelPoBox }
  const [reason] = changesOf({ action: 'label_failed', details } as unknown as HistoryEntry, {} as Order)
  expect(reason).toBe('Cannot ship to a PO Box. Please contact Vintner Support.')
})
