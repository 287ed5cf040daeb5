import type { Browser } from '@playwright/test'
import { median } from '../rig/load.ts'

/**
 * Milliseconds that the fixed work below took at full speed on the machine on which the goals were set: the build of
 * that day was measured there and here, in the same hour as this work.
 */
const onMachineOfGoals = 20
const rounds = 15

/** What a page does when it draws a list: sorts and writes text, makes elements, and has them laid out. */
function work(): number {
  const start = performance.now()
  const orders = Array.from({ length: 4_000 }, (_, n) => ({
    id: String((n * 7_919) % 4_001),
    name: `Order ${n}`,
  }))
  const sorted = (JSON.parse(JSON.stringify(orders)) as typeof orders).toSorted((one, other) =>
    one.id.localeCompare(other.id),
  )
  const table = document.createElement('table')
  for (const order of sorted.slice(0, 400)) {
    const row = table.insertRow()
    for (const text of [order.id, order.name, 'Accepted', '$129.50']) row.insertCell().textContent = text
  }
  document.body.append(table)
  const height = table.offsetHeight
  table.remove()
  return height > 0 ? performance.now() - start : Number.NaN
}

/** How many times as long as on the machine of the goals this one takes for the same work in the same browser. */
export async function measureMachine(browser: Browser): Promise<number> {
  const context = await browser.newContext()
  const page = await context.newPage()
  const times: number[] = []
  for (let round = 0; round < rounds; round++) times.push(await page.evaluate(work))
  await context.close()
  return median(times.slice(5)) / onMachineOfGoals
}
