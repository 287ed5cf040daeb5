import type { Upkeep } from '#platform/upkeep/upkeep.ts'
import { publishDocument } from './commands/publish-document.ts'

export const contentUpkeep: Upkeep = {
  stays: ['documents'],
  async afterRestore(statements, { madeAt }) {
    await publishDocument(statements, {
      name: 'merchant_dashboard_news',
      title: 'Restored from a backup',
      text: `This desk was restored from a backup. What happened after ${new Date(madeAt).toUTCString()} is missing.`,
      message:
        'Before you buy a label, ask for a courier, hand an order over or reject it: please check whether that was done already. ' +
        'Orders that came in since are sent again by the marketplace, under new numbers. ' +
        'Passwords, two-step sign-in and the team are as they were at that time.',
    })
  },
}
