import { Type } from 'typebox'
import { endpoint } from '../wire/endpoint.ts'
import {
  Count,
  Day,
  Empty,
  MerchantKey,
  nullable,
  object,
  ofUser,
  text,
  Timestamp,
  UserId,
} from '../wire/fields.ts'

export const Role = object({ name: Type.String(), label: Type.String() })

/** `id` and `uuid`, `phone` and `phone_number`, `roles` and `userRoles` hold the same (GAP-53). */
export const User = object({
  id: Type.String(),
  uuid: Type.String(),
  first_name: Type.String(),
  last_name: Type.String(),
  email: Type.String(),
  phone_number: nullable(Type.String()),
  phone: nullable(Type.String()),
  birthday: nullable(Day),
  date_created: Timestamp,
  last_login: nullable(Timestamp),
  userRoles: Type.Array(Role),
  roles: Type.Array(Role),
  aux_data: object({ authorized_merchant: nullable(MerchantKey) }),
})
export type User = Type.Static<typeof User>

export const Session = object({ token: Type.String(), user: User })

const passwordText = text(256)
const secondStepCode = text(40)

export const signIn = endpoint({
  call: 'POST /a/v2/sessions',
  summary: 'Sign in with e-mail and password',
  access: 'application',
  body: object({
    email: text(254),
    password: passwordText,
    code: Type.Optional({
      ...secondStepCode,
      description: 'The second step of those who use one: a code of their app, or a recovery code.',
    }),
  }),
  reply: Session,
  status: 201,
  refusals: ['bad_credentials', 'second_step_required', 'bad_second_step', 'too_many_requests'],
})
export const resumeSession = endpoint({
  call: 'GET /a/v2/sessions',
  summary: 'Token login: renew the session of a stored token',
  access: 'session',
  reply: Session,
})
export const redeemHandover = endpoint({
  call: 'POST /a/v2/sessions/handover',
  summary: 'Turn the one-time token of a sign-in link into a session',
  access: 'public',
  body: object({
    token: { ...text(2000), description: 'The `jwt` of the link. The token of a session is refused.' },
    merchant: { ...text(64), description: 'The `tmk` of the link.' },
    attempt: Type.Optional({
      ...text(128),
      minLength: 16,
      description:
        'A random text of your own. While the link lives, the same text redeems it again, should the answer have been lost.',
    }),
  }),
  reply: Session,
  refusals: ['bad_handover', 'handover_used', 'handover_expired'],
})
export const signOut = endpoint({
  call: 'POST /a/v2/logout',
  summary: 'End the session',
  access: 'session',
  body: Type.Optional(Empty),
  reply: Empty,
})
export const signUp = endpoint({
  call: 'POST /a/v2/users',
  summary: 'Create an account',
  access: 'application',
  body: object({
    first_name: text(100),
    last_name: text(100),
    email: text(254),
    password: passwordText,
    birthday: text(10),
  }),
  reply: User,
  status: 201,
  refusals: ['email_exists', 'too_many_requests'],
})
export const getUser = endpoint({
  call: 'GET /a/v2/users/{id}',
  summary: "Read a user's own record, or a colleague's as owner",
  access: 'self or team.edit',
  params: ofUser,
  reply: User,
})
export const updateUser = endpoint({
  call: 'POST /a/v2/users/{id}',
  summary: 'Save the own profile',
  access: 'self',
  params: ofUser,
  body: object({
    first_name: Type.Optional(text(100)),
    last_name: Type.Optional(text(100)),
    email: Type.Optional(text(254)),
    phone_number: Type.Optional({
      ...nullable(text(32)),
      description: 'Null takes the number away. An empty text, here and in the passwords, is as if left out.',
    }),
    password: Type.Optional(passwordText),
    new_password: Type.Optional(passwordText),
    code: Type.Optional({
      ...secondStepCode,
      description:
        'Needed with a new password or a changed e-mail by those who sign in in two steps: a code of their app, or a recovery code.',
    }),
  }),
  reply: User,
  refusals: ['email_exists', 'too_many_requests'],
})
export const requestPasswordReset = endpoint({
  call: 'POST /a/v2/accounts/password_token',
  summary: 'Mail a link that sets a new password',
  access: 'application',
  body: object({ email: text(254) }),
  reply: Empty,
  refusals: ['email_unknown', 'too_many_requests', 'public_url_missing'],
})
export const resetPassword = endpoint({
  call: 'POST /a/v2/accounts/password',
  summary: 'Set a new password with a reset token',
  access: 'application',
  body: object({ new_password: passwordText, reset_token: text(2000) }),
  reply: Empty,
  refusals: ['bad_reset_token', 'too_many_requests'],
})
export const getUserMerchant = endpoint({
  call: 'GET /a/v2/users/{id}/merchant',
  summary: 'The merchant that the user may act for',
  access: 'self',
  params: ofUser,
  reply: object({
    authorized_merchant: nullable(MerchantKey),
    merchant: nullable(object({ id: MerchantKey, name: Type.String() })),
  }),
})

/** A session without its token: the server never shows a token again. */
const SignedInDevice = object({
  id: Type.String(),
  device: nullable(Type.String()),
  created_at: Timestamp,
  last_seen_at: Timestamp,
  expires_at: Timestamp,
  is_current: Type.Boolean(),
})
export const listSessions = endpoint({
  call: 'GET /a/v2/users/{id}/sessions',
  summary: 'Where the user is signed in, the newest first',
  access: 'self',
  params: ofUser,
  reply: object({ items: Type.Array(SignedInDevice) }),
})
export const endSession = endpoint({
  call: 'DELETE /a/v2/users/{id}/sessions/{session}',
  summary: 'Sign one of the own sessions out',
  access: 'self',
  params: object({ id: UserId, session: UserId }),
  reply: Empty,
})
export const endOtherSessions = endpoint({
  call: 'DELETE /a/v2/users/{id}/sessions',
  summary: 'Sign out everywhere but here',
  access: 'self',
  params: ofUser,
  reply: object({ ended: Count }),
})
export const createHandover = endpoint({
  call: 'POST /marketplace/v1/handover',
  summary: 'A link that signs a user in once, within 60 seconds',
  access: 'marketplace',
  body: object({ user: text(254), merchant: MerchantKey }),
  reply: object({ url: Type.String() }),
  status: 201,
})
