import { expect, test } from 'vitest'
import { messages } from './messages.ts'
import { refusals } from '../wire/refusals.ts'

/** The words of docs/requirements.md, copied by hand and with their typos: clients match them (GAP-180). */
const verbatim: Partial<Record<keyof typeof messages, string>> = {
  somethingWentWrong: 'Something went wrong',
  unhandledError: 'Unhandled Error',
  genericErrorPage: 'Error Occurred, please try again later',
  invalidEmail: 'Please enter a valid email address',
  shortPassword: 'Your password must have at least 10 characters',
  termsRequired: 'You must accept terms',
  birthDateTooRecent: 'You must chose a valid birth date',
  birthDateNotReal: 'You must choose a valid birth date',
  invalidPhone: 'Please enter a valid phone number',
  invalidZip: 'Please enter a valid zip',
  emailExists: 'The email entered already exists',
  emailUnknown: 'The email entered does not exists. Please review and try again.',
  resetFailed: 'There was a problem trying to update your password. Please try again',
  resetFailedToast: 'There was an error trying to update your password',
  resetSucceeded: 'Password Updated successfully',
  ordersFetchFailed: 'There was an error fetching your orders. Please contact Support.',
  noOrdersForCriteria: 'No orders for the current search criteria',
  noOrders: 'No orders available',
  endOfPage: 'End of Page',
  noEmailHits: 'No results found. Please try different criteria',
  noNameHits: 'No results found. Please try different name.',
  orderUpdateFailed: 'There was an error trying to update your order.',
  rejectSucceeded: 'Order was updated successfully!',
  rejectFailed: 'Error occurred trying to rejected the order.',
  rejectReasonRequired: 'Please insert a reason',
  presaleNotReady: 'PRESALE ORDER: NOT READY TO SHIP',
  paidInFull: 'Paid in full',
  brandPromotion: 'BRAND PROMOTION',
  outOfStockDefault: 'within 48 hrs',
  trackingFieldsRequired: '* Please fill in all the fields',
  trackingFailed: "Something went wrong, tracking details weren't saved.",
  deliveredFieldsRequired: 'Please fill in required fields',
  deliveryUpdated: 'Delivery status updated successfully!',
  smsFailed: 'There was an error trying to send the message.',
  noLabels: 'There are no shipping labels to be printed.',
  labelGeneral: 'An error occurred, please contact Thirstie Support.',
  labelNetwork:
    'A network error has occurred. Please try again in 15-20 minutes or contact your Thirstie Sales Associate.',
  labelInvalidStreet: 'This address is invalid. Please contact Thirstie Support.',
  labelPoBox: 'Cannot ship to a PO Box. Please contact Thirstie Support.',
  labelMissingPhone: 'Recipient phone number is required. Please contact Thirstie Support.',
  labelAccountUnauthorized:
    'A carrier account error occurred, please contact your Thirstie Sales Associate to resolve the issue.',
  labelUserLockedOut: 'User is locked out. Please try again in 30 minutes.',
  labelApology:
    'We apologize for the inconvenience. Please contact your Sales Associate to resolve ongoing issues.',
  weightRequired: 'Please enter the weight.',
  weightTooSmall: 'Min value is 0.01',
  weightTooLarge: 'Max value is 999999',
  onlyNumbers: 'Only numbers are accepted.',
  declaredValueTooSmall: 'Min value is 0.',
  declaredValueTooLarge: 'Max value is 4999.99',
  usersFailed: 'Whoops, we are sorry but something went wrong...',
}

test.each(Object.entries(verbatim))('GAP-180 %s is word for word', (name, text) => {
  expect(messages[name as keyof typeof messages]).toBe(text)
})

test('GAP-180 texts with a name or number in them', () => {
  expect(messages.requiredField('first_name')).toBe('Please enter your first name')
  expect(messages.orderNotUpdated('1000123')).toBe("Something went wrong, the order 1000123 wasn't updated.")
  expect(messages.directionsSent('+1 (212) 555-0123')).toBe('We have sent directions to +1 (212) 555-0123.')
  expect(messages.noMerchant('Thirstie')).toBe(
    'Your account is not linked to a merchant yet. Please contact Thirstie Support.',
  )
  expect(messages.invalidOrderId('Thirstie')).toBe(
    'Please enter a valid Thirstie Order ID. Example: #1000123',
  )
})

test('the server’s refusals use the words of the specification where it gives some', () => {
  expect(refusals.email_exists.message).toBe('The email entered already exists')
  expect(refusals.bad_credentials.message).toBe('The email or password you entered is incorrect.')
  expect(refusals.too_many_requests.message).toBe('Too many attempts. Please try again later.')
  expect(refusals.presale_not_ready.message).toBe('PRESALE ORDER: NOT READY TO SHIP')
  expect(refusals.internal.message).toBe('Something went wrong')
})

test('every refusal has a 4xx or 5xx status, or leads to where the shop is now, and a sentence', () => {
  for (const { status, message } of Object.values(refusals)) {
    expect(status === 308 || status >= 400).toBe(true)
    expect(message).toMatch(/\w/)
  }
})
