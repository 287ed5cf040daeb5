import { unwatchedMinutes } from '@cellarhand/contract/watch'
import type { Letter } from '#platform/mail/letter.ts'

/** A case goes to the person on duty first and to the owner next. */
export type Step = 'duty' | 'owner'

export interface Case {
  readonly step: Step
  /** How many orders wait, up to a hundred. */
  readonly waiting: number
  readonly shop: string
  /** The address of the desk, if the server knows it. */
  readonly url: string | undefined
}

export const countedAtMost = 100

export function ordersOf(waiting: number): string {
  if (waiting === 1) return '1 new order waits'
  return `${waiting >= countedAtMost ? 'More than 99' : waiting} new orders wait`
}

export function letterOf({ step, waiting, shop, url }: Case, firstName: string): Letter {
  return {
    subject: `${ordersOf(waiting)}, and no screen is watching`,
    greeting: `Hello ${firstName},`,
    paragraphs: [
      `${ordersOf(waiting)} at ${shop}. No screen of the store has shown its orders for at least ${unwatchedMinutes} minutes.`,
      ...(step === 'owner' ? ['Nobody has opened the desk since the person on duty was told.'] : []),
    ],
    ...(url !== undefined && { button: { label: 'Open the orders', url } }),
    footnote:
      'You get this mail because your store’s settings name you (Settings, Alarms). A manager can change that.',
  }
}

export function textOf({ waiting, shop, url }: Case, product: string): string {
  const where = url === undefined ? '' : ` ${url}`
  return `${product}: ${ordersOf(waiting)} at ${shop.slice(0, 60)}, and no screen is watching.${where}`
}
