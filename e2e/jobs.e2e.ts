import { labelJob, orderJobs } from '../bench/jobs/order-jobs.ts'
import { shopJobs } from '../bench/jobs/shop-jobs.ts'
import { drive } from '../bench/jobs/drive.ts'
import { expect, test } from './desk.ts'

/** As many keys as `npm run bench -- jobs` counts today. */
const keys: Readonly<Record<string, number>> = {
  'accept the next due order': 2,
  'one bottle out': 5,
  'two boxes with labels': 6,
  courier: 3,
  'deliver with ID': 6,
  'the same, never marked as out': 7,
  'accept 40': 2,
  'add a colleague': 6,
  'find by the last four digits': 1,
  'why a label failed, fixed': 4,
}

for (const job of [...orderJobs, ...shopJobs, labelJob]) {
  const most = keys[job.name.trim()]
  // The slips of 76 orders have a test of their own, which reads the file too.
  if (most === undefined) continue
  test(`${job.name.trim()}: ${most} keys, to the state that the server confirms`, async ({
    browser,
    url,
    dataDir,
  }) => {
    const presses = await drive({ browser, origin: url, dataDir }, job, 'keys')
    expect(presses.mouse).toBe(0)
    expect(presses.keys).toBeLessThanOrEqual(most)
  })
}
