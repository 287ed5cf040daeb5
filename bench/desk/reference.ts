import type { Browser } from '@playwright/test'
import { median } from '../rig/load.ts'

const warmUp = 5
const rounds = 15

/** Sorts and writes text, makes elements, and has them laid out, as a page does that draws a list. */
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
  // Makes the browser lay the rows out.
  table.getBoundingClientRect()
  table.remove()
  return performance.now() - start
}

/** Milliseconds of the same work in the same browser, beside which a run's other figures can be compared. */
export async function measureReference(browser: Browser): Promise<number> {
  const context = await browser.newContext()
  const page = await context.newPage()
  const times: number[] = []
  for (let round = 0; round < warmUp + rounds; round++) times.push(await page.evaluate(work))
  await context.close()
  return median(times.slice(warmUp))
}
