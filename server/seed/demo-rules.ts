import type { Api } from '@cellarhand/contract/api'
import type { Place } from './customers.ts'

type Decision = Api['PUT /m/v2/merchant/{tmk}/duties/{rule}']['body']

/**
 * What the owner of the big shop has decided, as narrow as can be: its orders are also those that people try things
 * with, so a parcel to any other place in the states stays free.
 */
export const demoDecisions: Readonly<Record<string, Decision>> = {
  'US-HOME-STATE': {
    decision: 'changed',
    applies: { roads: ['parcel'] },
    reason: 'Each brand ships under a licence of its own; the list of them is in the office',
  },
  'WY-WINE': {
    decision: 'changed',
    applies: { roads: ['parcel'] },
    value: { answer: 'deny' },
    reason: 'No brand of ours has a licence for Wyoming',
  },
  'US-PO-BOX': {
    decision: 'changed',
    applies: { roads: ['parcel'], zips: ['12572'] },
    reason: 'The post office in Rhinebeck takes in no parcel of a carrier',
  },
}

/** Where these rules hold a parcel: a state that is forbidden, a place that nobody knows, a post-office box. */
export const heldPlaces: readonly Place[] = [
  { street_1: '118 Cache Creek Drive', street_2: null, city: 'Jackson', state: 'WY', zipcode: '83001' },
  { street_1: '54 Calle del Cristo', street_2: 'Piso 2', city: 'San Juan', state: 'PR', zipcode: '00901' },
  { street_1: '12 Mill Road, PO Box 318', street_2: null, city: 'Rhinebeck', state: 'NY', zipcode: '12572' },
]
