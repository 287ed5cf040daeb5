import { labelJob, orderJobs } from '../bench/jobs/order-jobs.ts'
import { shopJobs } from '../bench/jobs/shop-jobs.ts'
import { drive } from '../bench/jobs/drive.ts'
import { expect, test } from './desk.ts'

/** As many presses as `npm run bench -- jobs` counts today. */
const most: Readonly<Record<string, readonly [mouse: number, keys: number]>> = {
  'accept the next due order': [2, 2],
  'one bottle out': [3, 5],
  'two boxes with labels': [3, 6],
  courier: [2, 3],
  'deliver with ID': [3, 6],
  'the same, never marked as out': [3, 6],
  'slips of 76': [1, 1],
  'accept 40': [2, 2],
  'add a colleague': [3, 6],
  'find by the last four digits': [0, 1],
  'why a label failed, fixed': [2, 4],
}

for (const job of [...orderJobs, ...shopJobs, labelJob]) {
  const name = job.name.trim()
  const [mouse, keys] = most[name] ?? [-1, -1]
  test(`${name}: ${keys} keys, to the state that the server confirms`, async ({ browser, url, dataDir }) => {
    const presses = await drive({ browser, origin: url, dataDir }, job, job.ways.keys)
    expect(presses.mouse).toBe(0)
    // As on a Friday night: with three orders, every list is short.
    expect(presses.among.all).toBeGreaterThan(700)
    expect(Math.min(presses.among.late, presses.among.soon)).toBeGreaterThan(10)
    expect(presses.keys).toBeLessThanOrEqual(keys)
  })
  test(`${name}: ${mouse} presses of the mouse`, async ({ browser, url, dataDir }) => {
    const presses = await drive({ browser, origin: url, dataDir }, job, job.ways.mouse)
    expect(presses.mouse).toBeLessThanOrEqual(mouse)
    // An Enter after what was typed, or none.
    expect(presses.keys).toBeLessThanOrEqual(presses.typed.length)
  })
  for (const { from, goal, drive: way } of job.scans ?? [])
    test(`${name}, ${from}: scans (${goal}), and no key or button is pressed`, async ({
      browser,
      url,
      dataDir,
    }) => {
      const presses = await drive({ browser, origin: url, dataDir }, job, way)
      expect([presses.mouse, presses.keys, presses.scans]).toEqual([0, 0, goal])
    })
}
