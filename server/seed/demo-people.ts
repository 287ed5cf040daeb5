import type { NewMerchant } from '#merchants/public.ts'
import type { NewUser } from '#sign-in/public.ts'

/** Printed at every start, because everybody may enter the demo. */
export const demoPassword = 'cellarhand-demo'

const person = (email: string, firstName: string, lastName: string) => ({
  email,
  firstName,
  lastName,
  password: demoPassword,
})

export const demoMerchants: readonly NewMerchant[] = [
  {
    key: 'demo',
    name: 'Harbor Wine & Spirits',
    email: 'hello@harborwine.test',
    phone: '+12125550142',
    timezone: 'America/New_York',
    address: {
      street_1: '214 Front Street',
      street_2: 'Ground floor',
      city: 'New York',
      state: 'NY',
      zipcode: '10038',
    },
    contacts: {
      primary_contact_name: 'Marguerite Okafor',
      secondary_contact_name: 'Tom Brannigan',
      secondary_email: 'floor@harborwine.test',
      secondary_phone_number: '+12125550178',
    },
    courierPickInstructions: 'Ring at the side door on Beekman Street and ask for the order by its number.',
    owner: person('owner@demo.test', 'Marguerite', 'Okafor'),
  },
  {
    key: 'other',
    name: 'Mission Bottle Shop',
    email: 'hello@missionbottle.test',
    phone: '+14155550119',
    timezone: 'America/Los_Angeles',
    address: {
      street_1: '3180 Twentieth Street',
      street_2: null,
      city: 'San Francisco',
      state: 'CA',
      zipcode: '94110',
    },
    owner: person('owner@other.test', 'Rosa', 'Delgado-Quinn'),
  },
]

export const demoStaff: readonly NewUser[] = [
  { ...person('manager@demo.test', 'Tom', 'Brannigan'), merchantKey: 'demo', role: 'merch.manager' },
  { ...person('member@demo.test', 'Aiko', 'Lindqvist'), merchantKey: 'demo', role: 'merch.user' },
  person('nobody@demo.test', 'Noor', 'Byrne'),
]

/** The server prints this at every start of a demo. */
export function demoSignIns(): string {
  const line = (email: string, who: string) => `  ${email.padEnd(20)} ${who}`
  return [
    `Demo sign-ins, all with the password ${demoPassword}:`,
    line('owner@demo.test', 'owner of Harbor Wine & Spirits'),
    line('manager@demo.test', 'manager there'),
    line('member@demo.test', 'member of its staff'),
    line('owner@other.test', 'owner of Mission Bottle Shop'),
    line('nobody@demo.test', 'a user without a merchant'),
  ].join('\n')
}
