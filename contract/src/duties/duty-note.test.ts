import { expect, test } from 'vitest'
import { dutyNoteOf, heldReasonOf } from './duty-note.ts'
import type { DutyKind } from './duty-rules.ts'

type Noted = Parameters<typeof dutyNoteOf>[0]

const duty = (kind: DutyKind) => ({ rule: `R-${kind}`, kind, words: `Words of ${kind}.` })

function order(duties: Noted['duties'], changes: Partial<Noted> = {}): Noted {
  return {
    status: 'SUBMITTED',
    delivery: { method: 'shipped' },
    recipient: { state: 'UT' },
    duties,
    ...changes,
  }
}
const blocked = (...kinds: DutyKind[]) => ({ block: kinds.map(duty), must: [duty('adult_signature')] })
const local = { delivery: { method: 'on_demand' } }

test.each<[string, Noted, string | undefined]>([
  ['a held place, by its name', order(blocked('destination')), 'Held: Utah'],
  ['two rules about one place', order(blocked('destination', 'destination')), 'Held: Utah'],
  ['two reasons', order(blocked('destination', 'po_box')), 'Held: Utah, +1'],
  ['a PO box', order(blocked('po_box')), 'Held: PO box'],
  [
    'a hold about which an owner is asked',
    order({ ...blocked('destination'), asked: ['R-destination'] }),
    'Owner asked',
  ],
  [
    'a question about a rule that stands against it no more',
    order({ ...blocked('po_box'), asked: ['R-destination'] }),
    'Held: PO box',
  ],
  [
    'a state that is none',
    order(blocked('destination'), { recipient: { state: 'Utopia' } }),
    'Held: unknown state',
  ],
  ['a hold of an order that is over', order(blocked('destination'), { status: 'CANCELLED' }), undefined],
  [
    'a check that nobody recorded',
    order({ block: [], must: [duty('age_check')], missing: [duty('age_check')] }, { status: 'CLOSED' }),
    'No ID check',
  ],
  [
    'a courier’s proof',
    order({ block: [], must: [], missing: [duty('adult_signature')] }, { status: 'CLOSED' }),
    'No courier’s proof',
  ],
  [
    'a courier that came in the night',
    order({ block: [], must: [], missing: [duty('hours')] }, { status: 'CLOSED' }),
    'Delivered too late',
  ],
  ['a check to be made', order({ block: [], must: [duty('age_check')] }, local), 'ID check at the door'],
  [
    'a check that was made',
    order({ block: [], must: [duty('age_check')] }, { ...local, age_check: { result: 'passed' } }),
    undefined,
  ],
  [
    'a check that was refused: the next visit has to make it',
    order({ block: [], must: [duty('age_check')] }, { ...local, age_check: { result: 'refused' } }),
    'ID check at the door',
  ],
  ['a parcel', order({ block: [], must: [duty('adult_signature')] }), 'Adult signature'],
  ['nothing to say', order({ block: [], must: [duty('slip_text')] }), undefined],
  ['no rules at all', order(undefined), undefined],
])('the note of %s', (_, given, note) => {
  expect(dutyNoteOf(given)).toBe(note)
})

test.each<[Noted, string]>([
  [order(blocked('destination')), 'We cannot ship to Utah'],
  [order(blocked('destination'), { recipient: { state: 'Utopia' } }), 'We cannot ship to this address'],
  [order(blocked('po_box', 'destination')), 'We cannot ship to a PO box'],
  [order(blocked('hours')), ''],
  [order(blocked()), ''],
  [order(undefined), ''],
])('the reason to reject a held order', (given, words) => {
  expect(heldReasonOf(given)).toBe(words)
})
