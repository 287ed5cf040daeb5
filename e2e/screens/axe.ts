import fs from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from '@playwright/test'
import type axe from 'axe-core'
import { LOADING } from '../desk.ts'

const levels = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

const axeSource = fs.readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Waits for the parts of open dialogs, and for the bell, which comes once the page is painted. */
export async function settled(page: Page): Promise<void> {
  await page.getByRole('dialog').getByText(LOADING).first().waitFor({ state: 'detached' })
  const line = page.getByRole('banner').getByRole('status')
  if ((await line.count()) === 0) return
  await page.locator('[aria-label^="Order alarm"]').waitFor({ state: 'attached' })
}

/** The violations that axe finds on the page, or in a part of it: one line for each element. */
export async function violationsOf(page: Page, part?: string): Promise<string[]> {
  await settled(page)
  const { violations } = await runAxe(page, part, { runOnly: levels })
  const found: string[] = []
  for (const { id, nodes } of violations)
    for (const { target, failureSummary } of nodes) {
      const selector = target.join(' ')
      if (id === 'target-size' && (await isBigEnoughOnceScrolledTo(page, selector))) continue
      found.push(`${id}: ${selector} ${failureSummary ?? ''}`)
    }
  return found
}

/** A page keeps axe until it is loaded again. Of the checks that passed only the number is needed. */
async function runAxe(page: Page, part: string | undefined, options: axe.RunOptions) {
  for (const frame of page.frames())
    if (!(await frame.evaluate(() => 'axe' in globalThis))) await frame.evaluate(axeSource)
  return page.evaluate(
    async ([context, given]) => {
      const { violations, passes } = await (globalThis as unknown as { axe: typeof axe }).axe.run(
        context ?? document,
        {
          ...given,
          resultTypes: ['violations'],
        },
      )
      return { violations, passes: passes.length }
    },
    [part, options] as const,
  )
}

/**
 * A target that a bar at the window's end cuts counts as too small, though a finger scrolls it free. Where the bar cuts
 * is chance, because others' orders move the list.
 */
async function isBigEnoughOnceScrolledTo(page: Page, selector: string): Promise<boolean> {
  const target = page.locator(selector)
  const found = await target.count()
  // Another person's decision can have taken it away.
  if (found !== 1) return found === 0
  await target.evaluate((element) => element.scrollIntoView({ block: 'center' }))
  const { violations, passes } = await runAxe(page, selector, { runOnly: ['target-size'] })
  return violations.length === 0 && passes > 0
}

/** By how many pixels the page exceeds the window's width, also after menus have followed a new size of the window. */
export function overhangOf(page: Page): Promise<number> {
  return page.evaluate(async () => {
    const { documentElement: root } = document
    const overhang = (): number => root.scrollWidth - root.clientWidth
    for (let frame = 0; frame < 30 && overhang() > 0; frame += 1)
      await new Promise((resolve) => requestAnimationFrame(resolve))
    return overhang()
  })
}
