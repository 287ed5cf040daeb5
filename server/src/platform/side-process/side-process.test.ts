import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pathToFileURL } from 'node:url'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { eventually } from '../../../test/eventually.ts'
import { createTurnedClock } from '../../../test/turned-clock.ts'
import { createLulls } from '../turns/lulls.ts'
import { createSideProcess } from './side-process.ts'

const idlePolicy = 5
const usualPolicy = 0

const folder = await mkdtemp(join(tmpdir(), 'cellarhand-side-process-'))
afterAll(async () => rm(folder, { recursive: true }))

async function writeProgram(name: string, body: string): Promise<URL> {
  const file = join(folder, `${name}.mjs`)
  await writeFile(file, `import { answerQuestions } from '${new URL('answer.ts', import.meta.url)}'\n${body}`)
  return pathToFileURL(file)
}

/**
 * Answers with the policy and niceness of each of its threads, and with the ticks of the processor that each had: the
 * 41st, 19th, 14th and 15th field of `stat` (proc(5)), counted from behind the name, which may hold spaces. A patient one
 * that is asked for silence answers as one that never gets the processor. Work takes 0.7 seconds of the processor, as the
 * process says: beside the other tests it would wait for minutes for so much idle time.
 */
const program = await writeProgram(
  'priority',
  `import { readdirSync, readFileSync } from 'node:fs'
  import { setTimeout as sleep } from 'node:timers/promises'
  let queue = Promise.resolve()
  let worked = 0
  const { cpuUsage } = process
  process.cpuUsage = () => ({ ...cpuUsage(), user: worked })
  answerQuestions(async (task) => {
    if (task === 'silence' && process.argv[3] === 'patient') await new Promise(() => {})
    if (task === 'work') {
      await (queue = queue.then(() => sleep(100)))
      worked += 700_000
    }
    if (task === 'secrets') return Object.keys(process.env)
    if (task === 'garbage') {
      let kept = []
      for (let made = 0; made < 4_000_000; made++) {
        kept.push({ made, text: 'text ' + made })
        if (kept.length === 200_000) kept = []
      }
    }
    if (task === 'signals') process.kill(process.pid, 'SIGINT') && process.kill(process.pid, 'SIGTERM')
    return readdirSync('/proc/self/task').map((thread) => {
      const fields = readFileSync('/proc/self/task/' + thread + '/stat', 'utf8').split(') ')[1].split(' ')
      const ticks = Number(fields[11]) + Number(fields[12])
      return { pid: process.pid, policy: Number(fields[38]), niceness: Number(fields[16]), ticks }
    })
  })`,
)

interface Priority {
  readonly pid: number
  readonly policy: number
  readonly niceness: number
  readonly ticks: number
}

/** Its time passes by turns alone: in idle time a process can wait for seconds beside the other tests. */
function openHelper({ isAwaited = false } = {}) {
  const clock = createTurnedClock({ runs: false })
  const helper = createSideProcess(program, { waitMs: 60_000, clock, isAwaited })
  onTestFinished(async () => helper.stop())
  return {
    clock,
    answer: <T = Priority[]>(task: string): Promise<T> => helper.ask(task),
    stop: () => helper.stop(),
  }
}

test.runIf(process.platform === 'linux')(
  'a process that draws papers waits for idle time with all its threads; on a machine without any, another takes over within seconds',
  async () => {
    const { clock, answer } = openHelper()
    const policies = async (task: string) => [...new Set((await answer(task)).map(({ policy }) => policy))]
    expect(await policies('')).toEqual([idlePolicy])
    const overdue = [answer('silence'), answer('')]
    clock.turn(2_000)
    for (const late of await Promise.all(overdue))
      for (const { policy, niceness } of late) expect([policy, niceness > 0]).toEqual([usualPolicy, true])
    clock.turn(9 * 60_000)
    expect(await policies('silence')).toEqual([usualPolicy])
    clock.turn(60_000)
    expect(await policies('')).toEqual([idlePolicy])
  },
)

test.runIf(process.platform === 'linux')(
  'a queue of long papers is no reason to take the processor from requests; papers that hardly get it are',
  async () => {
    const { clock, answer } = openHelper()
    for (const paper of [1, 2, 3, 4].map(async () => answer('work'))) {
      expect((await paper)[0]?.policy).toBe(idlePolicy)
      clock.turn(1_500)
    }

    // It says that it lives, and works on nothing while the time passes.
    let hasAnswered = false
    const starved = answer('silence').finally(() => (hasAnswered = true))
    while (!hasAnswered) {
      clock.turn(500)
      await sleep(300)
    }
    expect((await starved)[0]?.policy).toBe(usualPolicy)
  },
)

test.runIf(process.platform === 'linux')(
  'a process that draws papers keeps to one core, also while it collects its garbage',
  async () => {
    const { clock, answer } = openHelper()
    // The process with a share of the processor, since one in idle time waits for the other tests.
    const takenOver = answer('silence')
    clock.turn(2_000)
    await takenOver
    const [main = { ticks: 0 }, ...others] = await answer('garbage')
    const beside = others.reduce((sum, { ticks }) => sum + ticks, 0)
    expect(beside).toBeLessThan(main.ticks / 10)
  },
)

test.runIf(process.platform === 'linux')(
  'one that somebody watches has a share of the processor at once, below that of requests, and keeps it',
  async () => {
    const { clock, answer } = openHelper({ isAwaited: true })
    const [first] = await answer('')
    expect([first?.policy, (first?.niceness ?? 0) > 0]).toEqual([usualPolicy, true])
    clock.turn(9 * 60_000)
    expect((await answer('silence'))[0]).toEqual({ ...first, ticks: expect.any(Number) })
  },
)

test.runIf(process.platform === 'linux')(
  'it has none of the server’s settings, outlives a signal to the whole group, and ends after ten minutes without a question',
  async () => {
    const { clock, answer } = openHelper()
    // The process with a share of the processor: one in idle time can take minutes to end beside the other tests.
    const takenOver = answer('silence')
    clock.turn(2_000)
    await takenOver
    expect(
      (await answer<string[]>('secrets')).filter(
        (name) => !/^(PATH|TZ|MALLOC_|NODE_CHANNEL|NODE_COMPILE_CACHE)/.test(name),
      ),
    ).toEqual([])
    const [{ pid } = { pid: 0 }] = await answer('signals')
    expect((await answer(''))[0]?.pid).toBe(pid)
    clock.turn(600_000)
    await eventually(async () => expect(existsSync(`/proc/${pid}`)).toBe(false))
    expect((await answer(''))[0]?.pid).not.toBe(pid)
  },
)

/** How the system sees the process: T is a stopped one, Z one that has ended. */
const stateOf = async (pid: number) =>
  (await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')).split(') ')[1]?.[0]

test.runIf(process.platform === 'linux')(
  'between a request and its reply the process is stopped, then it goes on; a share of the processor is never stopped',
  async () => {
    const clock = createTurnedClock({ runs: false })
    const lulls = createLulls(clock)
    const helper = createSideProcess(program, { waitMs: 60_000, clock, lulls })
    onTestFinished(async () => helper.stop())
    const [{ pid } = { pid: 0 }] = await helper.ask<Priority[]>('')
    const silent = helper.ask('silence')
    const replied = lulls.requested()
    await eventually(async () => expect(await stateOf(pid)).toBe('T'))
    replied()
    await eventually(async () => expect(await stateOf(pid)).toBe('T'))
    clock.turn(4)
    await eventually(async () => expect(await stateOf(pid)).toMatch(/[RS]/))
    lulls.requested()
    await eventually(async () => expect(await stateOf(pid)).toBe('T'))
    // A pause is no silence, and the next turn ends the pause.
    clock.turn(2_000)
    await eventually(async () => expect(await stateOf(pid)).toMatch(/[RS]/))
    clock.turn(2_000)
    const [{ pid: other } = { pid: 0 }] = (await silent) as Priority[]
    const work = helper.ask('work')
    lulls.requested()
    expect(await stateOf(other)).toMatch(/[RS]/)
    await work
  },
)

test.runIf(process.platform === 'linux')(
  'a stopped process ends with its server, however that ends',
  async () => {
    const server = `
    import { systemClock } from '${new URL('../clock/system-clock.ts', import.meta.url)}'
    import { createSideProcess } from '${new URL('side-process.ts', import.meta.url)}'
    // No other process takes over on a slow machine.
    const clock = { ...systemClock, readingMs: () => 0, after: () => ({ stop() {} }) }
    let hold
    const lulls = { requested: () => () => {}, during: (given) => ((hold = given), () => {}) }
    const helper = createSideProcess(new URL('${program}'), { waitMs: 60_000, clock, lulls })
    const [{ pid }] = await helper.ask('')
    void helper.ask('silence')
    hold(true)
    console.log(pid)
    setInterval(() => {}, 1_000)`
    const started = execFile(process.execPath, ['--input-type=module', '-e', server])
    onTestFinished(() => void started.kill('SIGKILL'))
    const [line] = (await once(started.stdout as Readable, 'data')) as [Buffer]
    const pid = Number(line.toString())
    await eventually(async () => expect(await stateOf(pid)).toBe('T'))
    started.kill('SIGKILL')
    await eventually(async () => expect(await stateOf(pid)).toMatch(/^(Z|undefined)$/))
  },
)

/** The field of `stat` with its group (proc(5)). */
const groupOf = async (pid: number) =>
  Number((await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')[1]?.split(' ')[2])

test.runIf(process.platform === 'linux')(
  'a process that can be stopped is in no group with the server, which the system would hang up with it',
  async () => {
    const clock = createTurnedClock({ runs: false })
    const helper = createSideProcess(program, { waitMs: 60_000, clock, lulls: createLulls(clock) })
    onTestFinished(async () => helper.stop())
    const [{ pid } = { pid: 0 }] = await helper.ask<Priority[]>('')
    expect(await groupOf(pid)).toBe(pid)
    expect(await groupOf(process.pid)).not.toBe(pid)
  },
)

test('a helper that was stopped starts no other process', async () => {
  const { answer, stop } = openHelper()
  await answer('')
  await stop()
  await expect(answer('')).rejects.toThrow('The server is stopping.')
})

test('a process that waits for nothing but the answer gets it, and ends; one that stops its helper ends with success', async () => {
  const slow = await writeProgram(
    'slow',
    `import { setTimeout as sleep } from 'node:timers/promises'
    answerQuestions(async () => sleep(200, 'drawn by ' + process.pid))`,
  )
  const asking = `
    import { systemClock } from '${new URL('../clock/system-clock.ts', import.meta.url)}'
    import { createSideProcess } from '${new URL('side-process.ts', import.meta.url)}'
    const helper = createSideProcess(new URL('${slow}'), { waitMs: 60_000, clock: systemClock })
    console.log(await helper.ask({}))
    if (process.argv[1] === 'stop') console.log((await helper.stop(), 'stopped'))`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', asking])
  const [, pid] = /^drawn by (\d+)$/.exec(stdout.trim()) ?? []
  expect(pid).toBeDefined()
  await eventually(async () => expect(existsSync(`/proc/${pid}`)).toBe(false))
  const stopping = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', asking, 'stop'])
  expect(stopping.stdout).toMatch(/\nstopped\n$/)
})
