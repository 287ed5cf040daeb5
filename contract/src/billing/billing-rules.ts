import { usStates } from '../values/us-states.ts'
import { messages } from '../words/messages.ts'
import { birthDate, email, firstProblem, phone, required, zip, type Rule } from '../values/validation.ts'

export const descriptorMaxLength = 22

/** A masked account number has five stars and the last four digits, as the server shows it. */
export function isMasked(accountNumber: string): boolean {
  return accountNumber.includes('*')
}

export const routingNumber: Rule = (value) =>
  /^\d{9}$/.test(value) ? undefined : messages.invalidRoutingNumber

/** A word of warning for nine digits that fail the check that banks print into them (ABA). They are taken all the same. */
export function routingNumberDoubt(value: string): string | undefined {
  if (routingNumber(value) !== undefined) return undefined
  const sum = [...value].reduce(
    (total, digit, index) => total + Number(digit) * ([3, 7, 1][index % 3] ?? 0),
    0,
  )
  return sum > 0 && sum % 10 === 0 ? undefined : 'No bank is known to have this number. Please check it.'
}

export const accountNumber: Rule = (value) =>
  isMasked(value) || /^\d{4,17}$/.test(value) ? undefined : 'Please enter a valid account number'

/** Nine digits; dashes only help typing. */
export const ein: Rule = (value) =>
  /^\d{9}$/.test(value.replaceAll('-', '')) ? undefined : 'Please enter a valid EIN'

export const descriptor: Rule = (value) =>
  [...value].length <= descriptorMaxLength
    ? undefined
    : `Please use at most ${descriptorMaxLength} characters`

const region: Rule = (value) =>
  usStates.some(([code]) => code === value) ? undefined : 'Please choose a state'

interface BillingField {
  readonly label: string
  readonly rules: readonly Rule[]
}

/** Every field of the bank-account form by its path on the wire: all are required (BILL-008). */
export const billingFields = {
  'individual.first_name': { label: 'First name', rules: [] },
  'individual.last_name': { label: 'Last name', rules: [] },
  'individual.email': { label: 'Email', rules: [email] },
  'individual.phone': { label: 'Phone', rules: [phone] },
  'individual.date_of_birth': { label: 'Date of birth', rules: [birthDate(Date.now())] },
  'individual.address.street_address': { label: 'Home street', rules: [] },
  'individual.address.locality': { label: 'Home city', rules: [] },
  'individual.address.region': { label: 'Home state', rules: [region] },
  'individual.address.postal_code': { label: 'Home zip', rules: [zip] },
  'business.legal_name': { label: 'Legal name', rules: [] },
  'business.dba_name': { label: 'DBA name', rules: [] },
  'business.tax_id': { label: 'EIN', rules: [ein] },
  'business.address.street_address': { label: 'Business street', rules: [] },
  'business.address.locality': { label: 'Business city', rules: [] },
  'business.address.region': { label: 'Business state', rules: [region] },
  'business.address.postal_code': { label: 'Business zip', rules: [zip] },
  'funding.descriptor': { label: 'Deposit descriptor', rules: [descriptor] },
  'funding.routing_number': { label: 'Routing number', rules: [routingNumber] },
  'funding.account_number': { label: 'Account number', rules: [accountNumber] },
} as const satisfies Record<string, BillingField>

export type BillingPath = keyof typeof billingFields
export const billingPaths = Object.keys(billingFields) as BillingPath[]

/** Path to message. An empty field gets the required message. */
export function billingProblems(
  fields: Readonly<Record<BillingPath, string>>,
): Partial<Record<BillingPath, string>> {
  const found = billingPaths.flatMap((path): [BillingPath, string][] => {
    const { label, rules } = billingFields[path]
    const called = label.replaceAll(/\w+/g, (word) =>
      word === word.toUpperCase() ? word : word.toLowerCase(),
    )
    const problem = firstProblem(fields[path].trim(), [required(called), ...rules])
    return problem === undefined ? [] : [[path, problem]]
  })
  return Object.fromEntries(found)
}
