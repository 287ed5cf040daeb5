import { expect, openOrders, test } from '../desk.ts'
import { signIn } from '../people.ts'
import { noteMessages, Schedule } from './line-schedule.ts'
import { buildKept } from './on-device.ts'

test.use({ serviceWorkers: 'allow' })

// `npm run bench -- lines` runs many more.
for (const seeds of [
  [1, 2, 3],
  [4, 5, 6],
]) {
  test(`seeds ${seeds.join(', ')}: decisions on a line that breaks at random are neither lost nor doubled`, async ({
    openDesk,
    outside,
    ownShop,
    cable,
    url,
  }) => {
    test.slow()
    const { bearer } = await signIn(url, ownShop.owner)
    const page = await openDesk(ownShop.owner, { baseURL: cable.url })
    const told = await noteMessages(page)
    await openOrders(page)
    await buildKept(page)
    const sums = { pressed: 0 }
    for (const seed of seeds) {
      const schedule = new Schedule({ page, cable, outside, shop: ownShop.key, bearer, told }, seed)
      sums.pressed += (await schedule.run()).pressed
    }
    expect(sums.pressed).toBeGreaterThan(3)
  })
}
