import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser, Page } from '@playwright/test'
import { notePrinting, watchFaults } from '../../e2e/faults.ts'
import { outsideOf } from '../../e2e/outside.ts'
import { letIn, signIn } from '../../e2e/people.ts'
import { openShop } from '../../e2e/shop.ts'
import { countOpen, fillShop, type OpenOrders } from './crowd.ts'
import type { Job, Way } from './ground.ts'
import { feelPresses, handOn, settled, type Presses } from './hand.ts'

const doneWithinMs = 180_000

export interface Rig {
  readonly browser: Browser
  readonly origin: string
  readonly dataDir: string
}

export interface Driven extends Presses {
  /** Among which the job was done. */
  readonly among: OpenOrders
}

/** Drives one way through a job, in a shop and a browser of its own, from the open list of orders to its end. */
export async function drive({ browser, origin, dataDir }: Rig, job: Job, way: Way): Promise<Driven> {
  const shop = await openShop(dataDir)
  const outside = outsideOf(origin)
  const { bearer } = await signIn(origin, shop.owner)
  const ground = { origin, dataDir, outside, shop, bearer }
  await fillShop(ground)
  const orders = await job.prepare(ground)
  const among = await countOpen(ground)
  const context = await browser.newContext({ baseURL: origin, viewport: { width: 1440, height: 900 } })
  try {
    const faults = await watchFaults(context)
    await notePrinting(context)
    await letIn(context, origin, shop.owner)
    const felt = await feelPresses(context)
    const page = await context.newPage()
    await page.goto('/orders/active')
    await page.getByText('Live', { exact: true }).first().waitFor({ state: 'attached' })
    await page.getByRole('row').nth(1).waitFor()
    await settled(page)
    const hand = handOn(page, felt)
    await way(hand, orders)
    for (const endMs = Date.now() + doneWithinMs; !(await job.isDone(ground, orders, page)); await sleep(200))
      if (Date.now() > endMs) throw new Error(`The server does not show it as done. ${await wordsOf(page)}`)
    if (faults.length > 0) throw new Error(faults.join('\n'))
    return { ...hand.presses(), among }
  } finally {
    await context.close()
  }
}

/** The end of the page has its dialogs and messages. */
async function wordsOf(page: Page): Promise<string> {
  const text = await page.locator('body').innerText()
  return `The page says, at its end: ${text.slice(-1_500)}`
}
