import { expect, test } from 'vitest'
import type { Device } from './decision-device.ts'
import { keepDuring, keepInstead, sendWaiting } from './decision-device.ts'
import type { Answer, Decision, Queue } from './decision-queue.ts'
import * as queues from './decision-queue.ts'

/** A small generator with a seed, so that a failing schedule can be run again. */
function random(seed: number): (below: number) => number {
  let state = seed * 2_654_435_761 + 1
  return (below) => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 3_266_489_917) >>> 0
    return (state >>> 5) % below
  }
}

/** Orders with versions, and the replies under their keys, as the real server keeps them. */
class ModelServer {
  readonly applied: string[] = []
  private readonly versions = new Map<string, number>()
  private readonly replies = new Map<string, Answer>()

  versionOf(orderId: string): number {
    return this.versions.get(orderId) ?? 1
  }

  otherClerk(orderId: string): void {
    this.versions.set(orderId, this.versionOf(orderId) + 1)
  }

  take({ key, orderId, input }: Decision): Answer {
    const known = this.replies.get(key)
    if (known) return known
    const isSeen = (input as { version: number }).version === this.versionOf(orderId)
    const reply: Answer = { state: isSeen ? 'done' : 'refused', words: '', answeredAt: 0 }
    if (isSeen) {
      this.applied.push(key)
      this.otherClerk(orderId)
    }
    this.replies.set(key, reply)
    return reply
  }
}

const lineKinds = ['good', 'cut', 'silent', 'answers lost', 'failing proxy'] as const
const never = new Promise<never>(() => undefined)
class NoAnswer extends Error {}
class Refused extends Error {}

interface Page {
  user: string
  isDead: boolean
  /** Counts the sessions of this page. */
  session: number
}

/** One device with its pages, its clerks, a colleague elsewhere, and a line that breaks; every step waits its turn. */
class World {
  readonly server = new ModelServer()
  /** Every press of a clerk, and whether the device has kept it yet. */
  readonly pressed = new Map<string, { page: Page; isKept: boolean; atStep: number }>()
  readonly undone = new Set<string>()
  /** The outcome of each decision, as its clerk could read it. */
  readonly told = new Map<string, string[]>()
  pages: Page[] = [{ user: 'ada', isDead: false, session: 1 }]
  line: (typeof lineKinds)[number] = 'good'
  private readonly stores = new Map<string, Queue>()
  private readonly heldBy = new Map<string, Page>()
  private sender: Page | undefined
  private locked: Promise<unknown> = Promise.resolve()
  private readonly turns: (() => void)[] = []
  private readonly parked: Decision[] = []
  private readonly busy = new Set<string>()
  private readonly unlocks: { page: Page; unlock: () => void }[] = []
  private steps = 0
  private readonly below: (below: number) => number
  private readonly name: string

  constructor(seed: number) {
    this.below = random(seed)
    this.name = `${seed}`
  }

  private async turn(page: Page): Promise<void> {
    await new Promise<void>((resolve) => this.turns.push(resolve))
    if (page.isDead) await never
  }

  /** Lets one waiting step go on. */
  async step(): Promise<boolean> {
    this.steps += 1
    // Longer than any chain of promises between two turns.
    for (let tick = 0; tick < 60; tick++) await Promise.resolve()
    const [next] = this.turns.splice(this.below(Math.max(1, this.turns.length)), 1)
    next?.()
    return next !== undefined
  }

  queueOf(user: string): Queue {
    return this.stores.get(user) ?? []
  }

  private tell(key: string, words: string): void {
    this.told.set(key, [...(this.told.get(key) ?? []), words])
  }

  private note(before: Queue, after: Queue): void {
    for (const each of after) {
      const press = this.pressed.get(each.key)
      if (press) press.isKept = true
      const was = before.find(({ key }) => key === each.key)
      if (!queues.isOpen(each) && (!was || queues.isOpen(was))) this.tell(each.key, each.state)
    }
  }

  deviceOf(page: Page): Device {
    return {
      change: async (user, to) => {
        const locked = this.locked
        let unlock = (): void => undefined
        this.locked = new Promise<void>((resolve) => (unlock = resolve))
        await locked
        // A page that ends gives up the lock.
        if (page.isDead) unlock()
        this.unlocks.push({ page, unlock })
        await this.turn(page)
        const before = this.queueOf(user)
        const after = to(before)
        this.stores.set(user, after)
        this.note(before, after)
        unlock()
        await this.turn(page)
        return after
      },
      hold: (key) => {
        this.heldBy.set(key, page)
        return () => void this.heldBy.delete(key)
      },
      held: async () => {
        await this.turn(page)
        const held = new Set(this.heldBy.keys())
        return (key) => held.has(key)
      },
      alone: async (work) => {
        if (this.sender) return
        this.sender = page
        await work()
        if (this.sender === page) this.sender = undefined
      },
    }
  }

  reload(page: Page): void {
    page.isDead = true
    for (const [key, holder] of this.heldBy) if (holder === page) this.heldBy.delete(key)
    if (this.sender === page) this.sender = undefined
    for (const each of this.unlocks) if (each.page === page) each.unlock()
    this.pages = this.pages.map((each) =>
      each === page ? { user: page.user, isDead: false, session: page.session + 1 } : each,
    )
  }

  signIn(page: Page, user: string): void {
    page.session += 1
    page.user = user
  }

  /** One try over the line. */
  private async exchange(page: Page, decision: Decision): Promise<Answer> {
    if (page.user !== decision.by) throw new Error('sent under another name')
    const { line } = this
    if (line === 'silent') this.parked.push(decision)
    const answer = ['cut', 'silent', 'failing proxy'].includes(line) ? undefined : this.server.take(decision)
    await this.turn(page)
    if (!answer || this.line === 'cut' || line === 'answers lost') throw new NoAnswer()
    return answer
  }

  press(page: Page): void {
    const orderId = `${this.below(8)}`
    if (
      this.busy.has(orderId) ||
      this.queueOf(page.user).some((each) => each.orderId === orderId && queues.isOpen(each))
    )
      return
    this.busy.add(orderId)
    const key = `${this.name}-${this.pressed.size}`
    this.pressed.set(key, { page, isKept: false, atStep: this.steps })
    const pressed: Omit<Decision, 'state' | 'isTried'> = {
      key,
      orderId,
      decided: this.below(2) === 0 ? 'accept' : 'reject',
      by: page.user,
      line: 'PUT /m/v2/orders/{id}',
      input: { version: this.server.versionOf(orderId) },
      pressedAt: 0,
    }
    const free = (): void => void this.busy.delete(orderId)
    const knowsOfCut = this.line !== 'good' && this.below(3) > 0
    const keepOrCall = async (): Promise<void> => {
      const waits: Decision = { ...pressed, state: 'waiting', isTried: false }
      if (knowsOfCut && (await keepInstead(this.deviceOf(page), page.user, [waits])).length > 0) return
      await this.callNow(page, { ...pressed, state: 'calling', isTried: true })
    }
    void keepOrCall().then(free)
    this.freeAtEnd.push({ page, free })
  }

  private readonly freeAtEnd: { page: Page; free: () => void }[] = []

  private async callNow(page: Page, decision: Decision): Promise<void> {
    const { session } = page
    const isSame = (): boolean => page.session === session
    const call = async (): Promise<void> => {
      for (const isLast of [false, true]) {
        try {
          if (!isSame()) throw new NoAnswer()
          const { state } = await this.exchange(page, decision)
          if (state === 'refused') throw new Refused()
          return
        } catch (error) {
          if (isLast || !(error instanceof NoAnswer)) throw error
        }
      }
    }
    const isUntold = (error: unknown): boolean => !isSame() && !(error instanceof Refused)
    try {
      await keepDuring(this.deviceOf(page), decision, { call, isUntold })
      this.tell(decision.key, 'done')
    } catch (error) {
      if (!isUntold(error)) this.tell(decision.key, error instanceof Refused ? 'refused' : 'not confirmed')
    }
  }

  undoOne(page: Page): void {
    const queue = this.queueOf(page.user)
    const each = queue[this.below(Math.max(1, queue.length))]
    if (!each) return
    const { key } = each
    const undo = (known: Queue): Queue => {
      const next = queues.undo(known, key)
      if (next.length < known.length) this.undone.add(key)
      return next
    }
    void this.deviceOf(page).change(page.user, undo)
  }

  closeList(page: Page): void {
    void this.deviceOf(page).change(page.user, queues.clearSent)
  }

  send(page: Page): Promise<void> {
    const { user, session } = page
    const send = (decision: Decision): Promise<Answer | undefined> =>
      this.exchange(page, decision).catch((error: unknown) => {
        if (error instanceof NoAnswer) return undefined
        throw error
      })
    return sendWaiting(this.deviceOf(page), user, {
      mayGoOn: () => page.session === session,
      send,
      finish: send,
      tellDone: ({ key }) => this.tell(key, 'done'),
    })
  }

  /** A call that a silent line held arrives after its page has given up. */
  deliverParked(): void {
    const [late] = this.parked.splice(this.below(Math.max(1, this.parked.length)), 1)
    if (late) this.server.take(late)
  }

  act(): void {
    const { below, pages } = this
    const page = pages[below(pages.length)]
    if (!page) return
    const what = below(20)
    if (what < 7) this.press(page)
    else if (what < 8) this.undoOne(page)
    else if (what < 12) void this.send(page)
    else if (what < 14) this.line = lineKinds[below(lineKinds.length)] ?? 'good'
    else if (what < 16) this.reloadAndFree(page)
    else if (what < 17) this.server.otherClerk(`${below(8)}`)
    else if (what < 18) this.deliverParked()
    else if (what < 19) this.closeList(page)
    else if (below(3) === 0) this.signIn(page, page.user === 'ada' ? 'bo' : 'ada')
    else if (pages.length < 2) this.pages.push({ ...page, isDead: false })
  }

  /** No hand reloads a page before the device has written what the same hand has just pressed. */
  private reloadAndFree(page: Page): void {
    for (const [key, press] of this.pressed) {
      const isUnsettled = press.page === page && !press.isKept && !this.told.has(key)
      if (isUnsettled && this.steps - press.atStep < 60) return
    }
    this.reload(page)
    for (const each of this.freeAtEnd) if (each.page === page) each.free()
  }

  /** The line is back, and each clerk opens the desk once more. */
  async end(): Promise<void> {
    while (await this.step());
    this.line = 'good'
    while (this.parked.length > 0) this.deliverParked()
    for (const user of ['ada', 'bo']) {
      for (const page of this.pages) this.reload(page)
      const page: Page = { user, isDead: false, session: 1 }
      this.pages = [page]
      const sent = this.send(page)
      while (await this.step());
      await sent
    }
  }
}

async function runSchedule(seed: number): Promise<World> {
  const world = new World(seed)
  const below = random(seed + 7)
  for (let step = 0; step < 200; step++) {
    if (below(3) === 0) world.act()
    await world.step()
  }
  await world.end()
  return world
}

test('1,000 schedules of a cut, slow or silent line with reloads lose no decision and double none', async () => {
  const sums = { done: 0, refused: 0, 'not confirmed': 0, undone: 0 }
  for (let seed = 1; seed <= 1000; seed++) {
    const world = await runSchedule(seed)
    const { server, pressed, undone, told } = world
    const why = `seed ${seed}`
    const left = ['ada', 'bo'].flatMap((user) => world.queueOf(user).filter(queues.isOpen))
    expect(left, why).toEqual([])
    // Each press has one outcome that its clerk could read, unless it was undone. A page that
    // ends right after telling it may have it told again, in the same words.
    const outcomes = [...pressed.keys()].map((key) => {
      const words = undone.has(key) ? ['undone'] : [...new Set(told.get(key))]
      return [key, words.length > 1 ? words.filter((word) => word !== 'not confirmed') : words] as const
    })
    for (const [key, words] of outcomes) expect(words, `${why} ${key}`).toHaveLength(1)
    const ofWords = (wanted: string) => outcomes.flatMap(([key, [word]]) => (word === wanted ? [key] : []))
    expect(new Set(server.applied).size, why).toBe(server.applied.length)
    for (const key of ofWords('done')) expect(server.applied, `${why} ${key}`).toContain(key)
    for (const key of [...ofWords('refused'), ...undone])
      expect(server.applied, `${why} ${key}`).not.toContain(key)
    for (const word of Object.keys(sums) as (keyof typeof sums)[]) sums[word] += ofWords(word).length
  }
  // Every kind of outcome was there often enough to be seen.
  for (const count of Object.values(sums)) expect(count).toBeGreaterThan(300)
})
