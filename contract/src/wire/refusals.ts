import { messages } from '../words/messages.ts'

interface Refusal {
  readonly status: number
  readonly message: string
}

/** Every reason for which the server may refuse: its HTTP status and the caller's text. */
export const refusals = {
  merchant_moved: {
    status: 308,
    message:
      'This shop has moved to another address. Please send the request there, with its own credential.',
  },
  /** To a script of the dashboard, which cannot follow. Its message names the address. */
  merchant_moved_away: {
    status: 410,
    message: 'This shop has moved to another address. Please sign in there.',
  },
  validation_failed: { status: 400, message: 'Please check the marked fields and try again.' },
  malformed_body: { status: 400, message: 'The request body is not valid JSON.' },
  bad_reset_token: { status: 400, message: messages.resetFailed },
  bad_handover: { status: 400, message: 'This sign-in link is not valid.' },
  handover_used: { status: 400, message: 'This sign-in link was used already. Each link works once.' },
  handover_expired: {
    status: 400,
    message: 'This sign-in link has expired. Each link works for one minute.',
  },
  bad_invitation: {
    status: 400,
    message:
      'This invitation does not work: it was used, taken back, or replaced by a newer mail. If you have joined already, please sign in. Otherwise ask the shop to invite you again.',
  },
  invitation_expired: {
    status: 400,
    message: 'This invitation has expired. Please ask the shop to send it again.',
  },
  unauthorized: { status: 401, message: 'Please sign in again.' },
  bad_credentials: { status: 401, message: 'The email or password you entered is incorrect.' },
  second_step_required: { status: 401, message: 'Please enter the code of your authenticator app.' },
  bad_second_step: { status: 401, message: 'That code is not right, or was used already.' },
  bad_client_credential: { status: 401, message: 'The client credential is missing or wrong.' },
  forbidden: { status: 403, message: "You don't have access to this." },
  two_step_setup_required: {
    status: 403,
    message: 'Your merchant requires two-step sign-in. Please set it up in your profile first.',
  },
  note_of_another: {
    status: 403,
    message: 'Somebody else wrote this note. Its author can delete it, and so can managers and owners.',
  },
  view_of_another: {
    status: 403,
    message: 'Somebody else made this view. Its maker can change it, and so can managers and owners.',
  },
  self_edit: { status: 403, message: "You can't change your own access. Please ask another owner." },
  bad_callback: { status: 403, message: 'The signature or credential of this callback is not valid.' },
  bad_signature: { status: 403, message: 'This link is not valid any more. Please ask for a new one.' },
  not_found: { status: 404, message: "We couldn't find what you are looking for." },
  email_unknown: { status: 404, message: messages.emailUnknown },
  not_onboarded: { status: 404, message: 'Payments are not set up for this merchant yet.' },
  method_not_allowed: { status: 405, message: 'This address does not take that method.' },
  invalid_transition: { status: 409, message: 'This order has moved on, so that is not possible any more.' },
  presale_not_ready: { status: 409, message: messages.presaleNotReady },
  duty_forbids: {
    status: 409,
    message: 'A rule stands against this order. An owner can let it pass, with a reason.',
  },
  substitutes_offered: {
    status: 409,
    message: 'The customer is being asked about this line already, or has answered.',
  },
  substitutes_answered: {
    status: 409,
    message: 'The customer was faster, or the time is over: this question has its answer.',
  },
  customer_unreachable: {
    status: 409,
    message:
      'The order has no number or address of the customer for this message. Please choose the other way.',
  },
  offering_unlisted: {
    status: 409,
    message: 'The stock list does not have this bottle, so it cannot be taken off sale here.',
  },
  order_taken: { status: 409, message: 'A colleague has this order already.' },
  watch_off: {
    status: 409,
    message: 'Nobody is told while the watch is off. A manager can turn it on in Settings, Alarms.',
  },
  view_name_taken: { status: 409, message: 'A view has this name already.' },
  too_many_views: { status: 409, message: 'There are 50 views already. Please remove one, then save yours.' },
  too_many_notes: {
    status: 409,
    message: 'There are 50 notes here already. Please delete one that is done with, then add yours.',
  },
  service_forbidden: {
    status: 409,
    message: 'A rule of the shop forbids this carrier, or every service that it offers for this parcel.',
  },
  age_check_required: {
    status: 409,
    message:
      'This order can only be closed with an ID check on record. Please record the check, or that it was not handed over.',
  },
  receipt_not_available: { status: 409, message: 'The receipt is available once the order is accepted.' },
  courier_not_available: { status: 409, message: 'No courier can be requested for this order now.' },
  courier_under_way: {
    status: 409,
    message: 'A courier is under way to this address. To correct it, please cancel the courier first.',
  },
  labels_being_bought: {
    status: 409,
    message: 'Labels are being bought for this order right now. Please look again in a moment.',
  },
  labels_in_doubt: {
    status: 409,
    message:
      'It is not known yet whether the last purchase went through. The carrier is being asked; please look again in a minute.',
  },
  address_corrected: {
    status: 409,
    message:
      'The address was corrected while the label was being bought, so that label is voided. Please buy a new one.',
  },
  labels_not_voidable: {
    status: 409,
    message: 'These labels cannot be voided: the carrier has the parcel already.',
  },
  labels_partly_voided: {
    status: 409,
    message: 'Some of these labels are voided and refunded. The carrier has the other parcels already.',
  },
  tracking_from_labels: {
    status: 409,
    message: 'This tracking number came with a bought label. Please void the label and buy another one.',
  },
  order_finished: { status: 409, message: 'This order is finished and can no longer be changed.' },
  email_exists: { status: 409, message: messages.emailExists },
  two_step_on: { status: 409, message: 'Two-step sign-in is on already.' },
  two_step_off: { status: 409, message: 'Please set up two-step sign-in for yourself first.' },
  two_step_required: { status: 409, message: 'Your merchant requires two-step sign-in, so it stays on.' },
  invitation_accepted: { status: 409, message: 'This person has accepted the invitation already.' },
  has_merchant: {
    status: 409,
    message:
      'Your account belongs to a shop already. Please ask an owner there to end your access, then follow this link again.',
  },
  last_owner: { status: 409, message: 'A merchant needs at least one owner.' },
  tos_required: { status: 409, message: 'Please accept the terms of service first.' },
  merchant_not_onboarded: {
    status: 409,
    message: 'This merchant cannot receive orders before payments are set up.',
  },
  duplicate_order: { status: 409, message: 'An order with this thirstie_logistic_order_ref exists already.' },
  request_in_progress: {
    status: 409,
    message: 'A request with this Idempotency-Key is still running. Please try again in a moment.',
  },
  changed_elsewhere: {
    status: 409,
    message: 'Somebody else is changing the same thing right now. Please try again in a moment.',
  },
  request_timeout: { status: 408, message: 'The request took too long to arrive. Please send it again.' },
  body_too_large: { status: 413, message: 'The request is too large.' },
  unsupported_media_type: { status: 415, message: 'Please send JSON (content-type: application/json).' },
  idempotency_key_reused: {
    status: 422,
    message: 'This Idempotency-Key was used before with another request. Please use a new key.',
  },
  general: { status: 422, message: messages.labelGeneral },
  invalid_street: { status: 422, message: messages.labelInvalidStreet },
  po_box: { status: 422, message: messages.labelPoBox },
  missing_phone: { status: 422, message: messages.labelMissingPhone },
  account_unauthorized: { status: 422, message: messages.labelAccountUnauthorized },
  user_locked_out: { status: 422, message: messages.labelUserLockedOut },
  courier_refused: { status: 422, message: 'The courier service did not take this delivery.' },
  label_refused: { status: 422, message: messages.labelGeneral },
  too_many_requests: { status: 429, message: 'Too many attempts. Please try again later.' },
  too_much_at_once: {
    status: 429,
    message: 'Too much is under way for your shop already. Please try again when some of it is done.',
  },
  internal: { status: 500, message: messages.somethingWentWrong },
  not_implemented: { status: 501, message: 'This call is part of the contract, but not built yet.' },
  provider_error: {
    status: 502,
    message: 'The outside service did not answer as expected. Please try again.',
  },
  phone_opted_out: {
    status: 409,
    message: 'This phone has asked for no more text messages. Its owner can text START to take that back.',
  },
  sms_failed: { status: 502, message: messages.smsFailed },
  carrier_not_responding: { status: 502, message: messages.labelNetwork },
  rates_failed: { status: 502, message: messages.labelNetwork },
  rates_unavailable: { status: 502, message: messages.labelNetwork },
  label_provider_failed: { status: 502, message: messages.labelNetwork },
  courier_failed: { status: 502, message: 'The courier service did not answer. Please try again.' },
  leaving: {
    status: 503,
    message: 'This server is about to stop. Please go to another one.',
  },
  too_busy: {
    status: 503,
    message: 'Too much is under way for this shop right now. Please try again in a moment.',
  },
  merchant_moving: {
    status: 503,
    message: 'This shop is just moving to another server. Please try again in a moment.',
  },
  database_unavailable: {
    status: 503,
    message: 'The service is briefly unavailable. Please try again in a moment.',
  },
  public_url_missing: {
    status: 503,
    message:
      'This server cannot send mails with links yet. Please ask whoever runs it to set PUBLIC_URL, its public address.',
  },
  files_unavailable: {
    status: 503,
    message: 'Files cannot be saved at the moment.',
  },
} as const satisfies Record<string, Refusal>

export type RefusalCode = keyof typeof refusals
