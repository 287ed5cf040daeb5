import { firstMessages } from './first-messages.ts'

/**
 * Every text that the specification fixes word for word, typos included: clients match them (GAP-180).
 * Texts with a name or number in them are functions.
 */
export const messages = {
  ...firstMessages,
  noMerchant: (product: string) =>
    `Your account is not linked to a merchant yet. Please contact ${product} Support.`,
  bulkDetailsAllFailed: 'Selected order details could not be downloaded, Please try again',

  invalidOrderId: (product: string) => `Please enter a valid ${product} Order ID. Example: #1000123`,
  noEmailHits: 'No results found. Please try different criteria',
  noNameHits: 'No results found. Please try different name.',

  requiredField: (field: string) => `Please enter your ${field.replaceAll('_', ' ')}`,
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
  wrongCurrentPassword: 'Your current password is incorrect',

  orderNotUpdated: (id: string) => `Something went wrong, the order ${id} wasn't updated.`,
  orderUpdateFailed: 'There was an error trying to update your order.',
  rejectSucceeded: 'Order was updated successfully!',
  rejectFailed: 'Error occurred trying to rejected the order.',
  rejectReasonRequired: 'Please insert a reason',
  paidInFull: 'Paid in full',
  depositBalance: 'Deposit order: the balance is charged after acceptance and before delivery.',
  onDemandNotice: 'On demand: please deliver within 2 hours of submission.',
  brandPromotion: 'BRAND PROMOTION',
  outOfStockDefault: 'within 48 hrs',

  trackingFieldsRequired: '* Please fill in all the fields',
  trackingFailed: "Something went wrong, tracking details weren't saved.",
  deliveredFieldsRequired: 'Please fill in required fields',
  deliveryUpdated: 'Delivery status updated successfully!',
  deliverySaved: 'Delivery details saved successfully!',
  courierSaved: 'Courier details saved successfully!',
  directionsSent: (phone: string) => `We have sent directions to ${phone}.`,
  smsFailed: 'There was an error trying to send the message.',

  noLabels: 'There are no shipping labels to be printed.',
  labelCreated: 'Shipping label created successfully!',
  labelUnavailable: 'Label is unavailable. Please contact your Thirstie Sales Associate.',
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

  receiptDownloaded: 'Receipt downloaded successfully!',
  receiptFailed: "Something went wrong, couldn't download the Receipt.",
  packingSlipDownloaded: 'Print Packaging Slip downloaded successfully!',

  bulkDetailsSomeFailed: 'Some order details could not be downloaded',
  bulkDownloadFailed: 'Error on downloading selected order details/reports, Please try again',
  bulkReportsSomeFailed: "Some order reports couldn't be downloaded",
  bulkAcceptNone: 'Accept request rejected',
  bulkAcceptSome: 'Some accept request rejected',
  bulkAcceptFailed: 'Error on accepting selected orders, Please try again',
  bulkInProgress: (seconds: number) =>
    `Previous download in progress, please try after ${seconds} second(s).`,
  bulkSlow:
    'Your download is taking longer than expected. An email with the download link will be sent to you shortly.',

  billingFailed: "Something went wrong. Billing information wasn't updated.",
  billingSaved: 'Billing information updated successfully!',
  billingFieldsRequired: 'Please check the mandatory fields',
  billingFieldInvalid: (label: string) => `Please check ${label} field`,
  invalidRoutingNumber: 'Please enter a valid routing number',
  stripeIssue: 'There was an issue loading your payment account. Please contact Thirstie Support.',
  providerSwitch: 'We are planning to switch our payment provider in December 2023.',
  settingsIncomplete: 'Your settings are incomplete',

  changesNotSaved: "Something went wrong, changes weren't saved.",
  carrierNotSaved: "Changes weren't saved.",
  companySaved: 'Company information updated successfully!',
  hoursSaved: 'Delivery hours updated successfully!',
  profileSaved: 'Profile updated successfully!',
  roleUpdated: (name: string) => `${name}'s role was updated successfully!`,
  roleNotUpdated: (name: string) => `Something went wrong, ${name}'s role wasn't updated.`,
  accessRevoked: (name: string) => `${name}'s access was revoked successfully!`,
  accessNotRevoked: (name: string) =>
    `Something went wrong, ${name}'s access wasn't revoked. Please try again.`,
  usersFailed: 'Whoops, we are sorry but something went wrong...',
} as const
