import type { Letter } from '#platform/mail/letter.ts'

export const resetMinutes = 60

export function resetLetter(firstName: string, url: string, product: string): Letter {
  return {
    subject: 'Set a new password',
    greeting: `Hello ${firstName},`,
    paragraphs: [
      `Somebody, probably you, asked for a new password for your ${product} account.`,
      `The link works once, and for ${resetMinutes} minutes.`,
    ],
    button: { label: 'Enter a New Password', url },
    footnote: 'If it was not you, do nothing: your password stays as it is.',
  }
}

/** Tells somebody what changed, at the address that they had before. */
export function changedLetter(
  firstName: string,
  { what, product }: { what: 'password' | 'e-mail'; product: string },
): Letter {
  return {
    subject: `Your ${what} was changed`,
    greeting: `Hello ${firstName},`,
    paragraphs: [`The ${what} of your ${product} account was changed just now.`],
    footnote:
      what === 'password'
        ? 'If it was not you, ask for a new password on the sign-in page at once, and tell the owner of your shop.'
        : 'If it was not you, tell the owner of your shop at once: they can end the access of your account.',
  }
}

const secondStepNews = {
  on: {
    subject: 'Two-step sign-in is on',
    news: 'Two-step sign-in was switched on for your',
    advice:
      'If it was not you, tell the owner of your shop at once: they can end the access of your account.',
  },
  off: {
    subject: 'Two-step sign-in is off',
    news: 'Two-step sign-in was switched off for your',
    advice:
      'If it was not you, ask for a new password on the sign-in page at once, and tell the owner of your shop.',
  },
  codes: {
    subject: 'Your recovery codes were replaced',
    news: 'New recovery codes were made, and the old ones no longer work, for your',
    advice:
      'If it was not you, ask for a new password on the sign-in page at once, and tell the owner of your shop.',
  },
}
export type SecondStepNews = keyof typeof secondStepNews

/** Tells somebody that their second step changed. */
export function secondStepLetter(
  firstName: string,
  { what, product }: { what: SecondStepNews; product: string },
): Letter {
  const { subject, news, advice } = secondStepNews[what]
  return {
    subject,
    greeting: `Hello ${firstName},`,
    paragraphs: [`${news} ${product} account just now.`],
    footnote: advice,
  }
}

export interface InvitationNames {
  readonly firstName: string
  readonly merchant: string
  readonly inviter: string
}

export function invitationLetter(names: InvitationNames, url: string, days: number): Letter {
  return {
    subject: `${names.merchant} invites you`,
    greeting: `Hello ${names.firstName},`,
    paragraphs: [
      `${names.inviter} invites you to work on the orders of ${names.merchant}.`,
      `Set your password to begin. The link works once, and for ${days} days.`,
    ],
    button: { label: 'Set your password', url },
    footnote:
      'If you do not know this shop, do nothing: without a password nobody can sign in with your address.',
  }
}

/** For a person with an account and a password. */
export function joinLetter(names: InvitationNames, url: string, days: number): Letter {
  return {
    subject: `${names.merchant} invites you`,
    greeting: `Hello ${names.firstName},`,
    paragraphs: [
      `${names.inviter} asks you to work on the orders of ${names.merchant}, with the account that you have.`,
      `Follow the link to decide. It works once, and for ${days} days.`,
    ],
    button: { label: 'See the invitation', url },
    footnote: 'If you do not know this shop, do nothing: your account stays as it is.',
  }
}
