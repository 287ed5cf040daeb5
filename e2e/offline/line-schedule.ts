import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from '@playwright/test'
import type { Cable } from '../cable.ts'
import type { Outside } from '../outside.ts'
import { deskRecord, keptDecisions } from './on-device.ts'

/** A clerk's browser behind a cable, on a shop whose orders nobody else decides. */
export interface Ground {
  readonly page: Page
  readonly cable: Cable
  readonly outside: Outside
  readonly shop: string
  readonly bearer: string
  /** What messages said, since the browser was opened. */
  readonly told: readonly string[]
}

type Decided = 'accept' | 'reject'

interface Press {
  readonly decided: Decided
  isUndone: boolean
  /** Its dialog said that the server may or may not have it. */
  isGivenBack: boolean
}

export interface Sums {
  pressed: number
  done: number
  undone: number
  /** The clerk has read that nobody knows the outcome, and the server has not done it. */
  givenBack: number
  reloads: number
}

const kinds = ['cut', 'silent', 'slow', 'answers lost', 'good'] as const
const ORDERS = 4
const STEPS = 9
const waitMs = 60_000

/** A small generator with a seed, so that a failing schedule can be run again. */
function random(seed: number): (below: number) => number {
  let state = Math.imul(seed, 2_654_435_761) + 1
  return (below) => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 3_266_489_917) >>> 0
    return (state >>> 5) % below
  }
}

/** Notes every message of the context's pages; before the first page opens. */
export async function noteMessages(page: Page): Promise<readonly string[]> {
  const told: string[] = []
  await page.exposeBinding('noteMessage', (_source, text: string) => void told.push(text))
  await page.addInitScript(() => {
    const { noteMessage } = globalThis as unknown as { noteMessage: (text: string) => void }
    const look = (): void => {
      const region = document.querySelector('[aria-label=Messages]')
      for (const { textContent } of region?.children ?? []) noteMessage(textContent ?? '')
    }
    new MutationObserver(look).observe(document, { subtree: true, childList: true })
  })
  return told
}

/** One schedule: decisions, breaks of the line and reloads at random moments, and the line's return at the end. */
export class Schedule {
  readonly steps: string[] = []
  readonly sums: Sums = { pressed: 0, done: 0, undone: 0, givenBack: 0, reloads: 0 }
  private readonly presses = new Map<string, Press>()
  private readonly orders: string[] = []
  private readonly below: (below: number) => number
  private readonly ground: Ground
  private toldBefore = 0
  private toldAtPress = 0
  private pressed: Press | undefined

  constructor(ground: Ground, seed: number) {
    this.ground = ground
    this.below = random(seed)
  }

  async run(): Promise<Sums> {
    const { outside, shop, told } = this.ground
    this.toldBefore = told.length
    while (this.orders.length < ORDERS) this.orders.push((await outside.order(shop)).id)
    const { page } = this.ground
    await page.goto('/orders/active', { waitUntil: 'commit' })
    const before = await deskRecord(page)
    await this.live()
    for (const id of this.orders) await this.row(id).waitFor({ timeout: waitMs })
    // No line breaks before the device has written what it shows, some seconds after the page has opened.
    for (const until = Date.now() + waitMs; (await deskRecord(page)) === before; await sleep(100))
      if (Date.now() > until) throw new Error('The device keeps nothing of this page')
    for (let step = 0; step < STEPS; step++) {
      await this.step()
      // A part of the schedule, and no waiting for anything.
      await sleep(this.below(1_200))
    }
    await this.end()
    return this.sums
  }

  private async step(): Promise<void> {
    const what = this.below(10)
    if (what < 3) await this.breakLine()
    else if (what < 5) await this.reload()
    else if (what < 6) await this.undo()
    else await this.decide()
  }

  private async breakLine(): Promise<void> {
    const { cable } = this.ground
    const kind = kinds[this.below(kinds.length)] ?? 'good'
    this.steps.push(kind)
    cable.mend()
    if (kind === 'cut') cable.cut()
    else if (kind === 'silent') cable.hold()
    else if (kind === 'slow') cable.slow(300 + this.below(1_700))
    else if (kind === 'answers lost') cable.loseAnswers()
  }

  /**
   * The words in a dialog name no order; until its page is left, they are about the one that was pressed last. A page
   * may say them in its last moment, so they are heard once the next one has come.
   */
  private hearDialog(): void {
    const words = this.ground.told.slice(this.toldAtPress)
    if (this.pressed && words.some((each) => each.includes('Not confirmed'))) this.pressed.isGivenBack = true
    this.pressed = undefined
  }

  private async reload(): Promise<void> {
    this.steps.push('reload')
    this.sums.reloads += 1
    await this.ground.page.reload()
    this.hearDialog()
  }

  /** The list of waiting decisions is one line until it is opened. */
  private async openWaiting(): Promise<void> {
    const line = this.ground.page.getByRole('button', { name: /^Not sent yet/, expanded: false })
    if (await line.isVisible()) await line.click({ timeout: 2_000 }).catch(() => undefined)
  }

  private async undo(): Promise<void> {
    await this.openWaiting()
    const buttons = this.ground.page.getByRole('button', { name: /^Undo (accept|reject) of #/ })
    // One look, since a line that is back may send the decision in this very moment.
    const [label = ''] = await buttons.evaluateAll((all) => all.map((each) => each.ariaLabel ?? ''))
    const id = /#(\d+)/.exec(label)?.[1]
    if (id === undefined) return
    this.steps.push(`undo #${id}`)
    const button = this.ground.page.getByRole('button', { name: label, exact: true })
    // It may be sent now, too: before the press the button goes, after it a message says that it was sent.
    const isPressed = await button.click({ timeout: 2_000 }).then(
      () => true,
      () => false,
    )
    const press = this.presses.get(id)
    await this.openWaiting()
    const same = this.ground.page.getByRole('button', {
      name: new RegExp(`^Undo (accept|reject) of #${id}$`),
    })
    const isGone = await same.waitFor({ state: 'detached', timeout: 5_000 }).then(
      () => true,
      () => false,
    )
    if (press && isPressed && isGone) press.isUndone = true
  }

  private async decide(): Promise<void> {
    const id = this.orders.find((each) => !this.presses.has(each))
    if (id === undefined) return
    const decided: Decided = this.below(2) === 0 ? 'accept' : 'reject'
    this.steps.push(`${decided} #${id}`)
    await this.toList()
    const { page, told } = this.ground
    this.toldAtPress = told.length
    if (decided === 'accept') {
      await this.row(id)
        .getByRole('button', { name: `Accept #${id}` })
        .click({ timeout: waitMs })
      await page.getByRole('button', { name: 'ACCEPT', exact: true }).click({ timeout: waitMs })
    } else {
      await this.row(id)
        .getByRole('link', { name: `#${id}` })
        .click({ timeout: waitMs })
      // The list of waiting decisions names its rejections too.
      await page
        .getByRole('main')
        .getByRole('button', { name: 'Reject', exact: true })
        .click({ timeout: waitMs })
      await page.getByText('Customer cancelled').click({ timeout: waitMs })
      await page.getByRole('button', { name: 'REJECT', exact: true }).click({ timeout: waitMs })
    }
    this.presses.set(id, (this.pressed = { decided, isUndone: false, isGivenBack: false }))
    this.sums.pressed += 1
    await this.written(id)
  }

  /** No hand reloads a page before the device has written what the same hand has just pressed. */
  private async written(id: string): Promise<void> {
    const { page, outside, bearer, told } = this.ground
    for (const until = Date.now() + waitMs; Date.now() < until; await sleep(50)) {
      // A record may be cleared while it is read.
      const kept = await keptDecisions(page).catch(() => [])
      if (kept.some(({ orderId }) => orderId === id)) return
      if (told.slice(this.toldAtPress).some((each) => each.includes('Not confirmed'))) return
      // With a good line the answer may have come and cleared it already.
      const { history } = await outside.call('GET /m/v2/orders/{id}', { as: bearer, params: { id } })
      if (history.length > 1) return
    }
    throw new Error(`The device has not written the decision of #${id}`)
  }

  /** By a new page if an open dialog still waits for its answer: such a page tells no outcome. */
  private async toList(): Promise<void> {
    const { page } = this.ground
    const isList = new URL(page.url()).pathname === '/orders/active'
    if (isList && (await page.getByRole('dialog').count()) === 0) return
    this.sums.reloads += 1
    await page.goto('/orders/active')
    this.hearDialog()
  }

  private row(id: string) {
    const { page } = this.ground
    return page.getByRole('row').filter({ has: page.getByRole('link', { name: `#${id}`, exact: true }) })
  }

  private async live(): Promise<void> {
    const sign = this.ground.page.getByRole('banner').getByText('Live', { exact: true })
    await sign.waitFor({ state: 'attached', timeout: waitMs })
  }

  private async end(): Promise<void> {
    const { cable, page } = this.ground
    this.steps.push('the line is back')
    cable.mend()
    await page.goto('/orders/active')
    this.hearDialog()
    await this.live()
    for (const until = Date.now() + waitMs; ; await sleep(200)) {
      const problem = (await this.problemAtServer()) ?? (await this.problemOnDevice())
      if (problem === undefined) break
      if (Date.now() > until)
        throw new Error(
          `${problem} after: ${this.steps.join(', ')}; told: ${this.ground.told.slice(this.toldBefore).join(' | ')}`,
        )
    }
    const sent = page.getByRole('region', { name: 'Sent after the cut' })
    if (!(await sent.isVisible())) return
    await sent.getByRole('button').first().click()
    await sent.getByRole('button', { name: /Close|Clear sent/ }).click()
  }

  /** A lost decision, a doubled one, or one that nobody pressed. */
  private async problemAtServer(): Promise<string | undefined> {
    const { outside, bearer, told } = this.ground
    const words = told.slice(this.toldBefore)
    const ends = { done: 0, undone: 0, givenBack: 0 }
    for (const id of this.orders) {
      const { history } = await outside.call('GET /m/v2/orders/{id}', { as: bearer, params: { id } })
      const done = history.map(({ action }) => String(action)).filter((action) => action !== 'submit')
      const press = this.presses.get(id)
      const isTold = (text: string) => words.some((each) => each.includes(id) && each.includes(text))
      if (done.length > 1) return `#${id} has ${done.join(' and ')}`
      if (!press && done.length > 0) return `#${id} has ${done[0]} that nobody pressed`
      if (press && done.length === 1 && done[0] !== press.decided) return `#${id} has ${done[0]}`
      if (!press) continue
      if (press.isUndone && done.length === 1 && !isTold('was already sent')) return `#${id} was undone`
      if (done.length === 1) ends.done += 1
      else if (press.isUndone) ends.undone += 1
      else if (press.isGivenBack || isTold('may or may not')) ends.givenBack += 1
      else return `#${id} lost its ${press.decided}`
    }
    Object.assign(this.sums, ends)
    return undefined
  }

  private async problemOnDevice(): Promise<string | undefined> {
    const { page } = this.ground
    if ((await page.getByRole('region', { name: 'Not sent yet' }).count()) > 0) return 'The list still waits'
    const counts = await page.evaluate(() => localStorage.getItem('cellarhand-not-sent'))
    return counts === null ? undefined : `The device still keeps ${counts}`
  }
}
