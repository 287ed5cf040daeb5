import type { Page } from '@playwright/test'
import { basic } from '../../server/seed/calls.ts'
import type { Outside } from '../outside.ts'
import { password } from '../people.ts'
import { linkMailedTo } from '../sign-in/outbox.ts'
import { linkFor } from '../sign-in/sign-in-link.ts'
import { button, signInAs, titled, type Screen } from './screen-steps.ts'

async function team(page: Page): Promise<void> {
  await titled(page, '/settings/users', 'Users')
  await page.getByText('owner@demo.test').waitFor()
}

const inTeam =
  (opener: RegExp): Screen['show'] =>
  async (page) => {
    await team(page)
    await page.getByRole('button', { name: opener }).first().click()
    await page.getByRole('dialog').waitFor()
  }

/** The screens of signing in, of the person's own account, and of the team. */
export const accountScreens: readonly Screen[] = [
  {
    name: 'sign-in',
    person: null,
    async show(page) {
      await page.goto('/login')
      await button(page, 'Sign In').waitFor()
    },
  },
  {
    name: 'sign-in-missing',
    person: null,
    async show(page) {
      await signInAs(page, 'no address', '')
      await page.getByText('Please enter your password').waitFor()
    },
  },
  {
    name: 'sign-in-refused',
    person: null,
    async show(page) {
      // A new address each time, because the limit on failed attempts would show otherwise.
      await signInAs(page, `stranger-${Date.now()}@demo.test`, 'not-the-password')
      await page.getByRole('alert').waitFor()
    },
  },
  {
    name: 'sign-in-link-refused',
    person: null,
    async show(page) {
      await page.goto('/?jwt=a-link-of-long-ago&tmk=demo')
      await page.getByRole('alert').waitFor()
    },
  },
  {
    name: 'dialog-sign-in-link',
    person: 'member@demo.test',
    async show(page, { outside }) {
      await page.goto((await linkFor(outside, 'owner@demo.test')).href)
      await page.getByRole('dialog').waitFor()
    },
  },
  { name: 'sign-up', person: null, show: (page) => titled(page, '/signup', 'Create an Account') },
  {
    name: 'sign-up-missing',
    person: null,
    async show(page) {
      await titled(page, '/signup', 'Create an Account')
      await page
        .getByRole('button', { name: /sign up|create/i })
        .last()
        .click()
      await page.getByText('Please enter your first name').waitFor()
    },
  },
  { name: 'forgot', person: null, show: (page) => titled(page, '/forgot', 'Reset Password') },
  {
    name: 'new-password',
    person: null,
    show: (page) => titled(page, '/forgot/password-reset/a-token', 'Enter a New Password'),
  },
  {
    name: 'join',
    person: null,
    async show(page, { outside }) {
      await page.goto(await invitationOf(outside, 'nobody@demo.test'))
      await button(page, 'Join').waitFor()
    },
  },
  { name: 'join-refused', person: null, show: (page) => titled(page, '/join/a-token', 'Invitation') },
  {
    name: 'no-merchant',
    person: 'nobody@demo.test',
    async show(page) {
      await page.goto('/')
      await button(page, 'Sign Out').waitFor()
    },
  },
  {
    name: 'not-found',
    async show(page) {
      await page.goto('/no/such/page')
      await page.getByText('Error Code: 404').waitFor()
    },
  },
  {
    name: 'profile',
    person: 'manager@demo.test',
    show: (page) => titled(page, '/settings/profile', 'Profile'),
  },
  {
    name: 'dialog-two-step',
    person: 'manager@demo.test',
    async show(page) {
      await titled(page, '/settings/profile', 'Profile')
      await page.getByRole('button', { name: 'Set Up', exact: true }).click()
      await page.getByRole('dialog').getByLabel('Current password', { exact: true }).fill(password)
      await button(page, 'Continue').click()
      await page.getByRole('img', { name: /QR code/ }).waitFor()
    },
  },
  { name: 'terms', person: null, show: (page) => titled(page, '/terms', 'Terms') },
  {
    name: 'profile-missing',
    person: 'member@demo.test',
    async show(page) {
      await titled(page, '/settings/profile', 'Profile')
      await page.getByRole('button', { name: 'Generate' }).click()
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      await page.getByText('This one').waitFor()
    },
  },
  {
    name: 'developers',
    person: 'member@demo.test',
    ownPart: 'header',
    show: (page) => titled(page, '/developers', 'Developers'),
  },
  { name: 'reports', person: 'member@demo.test', show: (page) => titled(page, '/reports', 'Reports') },
  { name: 'users', show: team },
  { name: 'users-of-a-manager', person: 'manager@demo.test', show: team },
  { name: 'dialog-require-two-steps', show: inTeam(/^Require It$/) },
  { name: 'dialog-invite', show: inTeam(/INVITE/) },
  { name: 'dialog-edit-user', show: inTeam(/^Edit/) },
  { name: 'dialog-revoke', show: inTeam(/^Revoke/) },
]

/** The link of an invitation that waits. The shop can ask once; the first link stays good, because nobody answers it. */
async function invitationOf(outside: Outside, email: string): Promise<string> {
  const { token, user } = await outside.call('POST /a/v2/sessions', {
    as: basic('dashboard:dashboard'),
    body: { email: 'owner@other.test', password },
  })
  const asked = outside.call('POST /c/v2/merchants/{tmk}/users', {
    as: `Bearer ${token}`,
    params: { tmk: user.aux_data.authorized_merchant ?? '' },
    body: { email, first_name: 'Noor', last_name: 'Byrne', roles: ['merch.user'] },
  })
  await asked.catch(() => undefined)
  return linkMailedTo(outside, email)
}
