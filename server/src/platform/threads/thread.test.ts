import { getPriority } from 'node:os'
import { afterAll, expect, test } from 'vitest'
import { systemClock } from '../clock/system-clock.ts'
import { createThread } from './thread.ts'

const program = `
  import { readlinkSync } from 'node:fs'
  import { getPriority } from 'node:os'
  import { basename } from 'node:path'
  import { answerThread } from '${new URL('answer.ts', import.meta.url)}'
  answerThread(async () => getPriority(Number(basename(readlinkSync('/proc/thread-self')))))`
const thread = createThread(new URL(`data:text/javascript,${encodeURIComponent(program)}`), {
  waitMs: 60_000,
  clock: systemClock,
})
afterAll(async () => thread.stop())

test.runIf(process.platform === 'linux')(
  'a thread that draws papers comes after the one that answers requests',
  async () => {
    expect(await thread.ask<number>({})).toBeGreaterThan(getPriority())
  },
)
