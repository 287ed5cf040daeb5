import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../scripts/launch/free-port.mjs'
import { SERVER_ENV, SERVER_NODE_ARGS } from '../../scripts/launch/memory.mjs'
import { startThrowawayPostgres, type EmbeddedPostgres } from '../../server/src/platform/postgres/embedded.ts'

export interface ServerProcess {
  readonly origin: string
  readonly process: ChildProcess
  /** Its log's lines about answers with 500 so far. */
  readonly unexpected: string[]
  stop(): Promise<void>
}

/** A server in its own process, so that the measuring process does not count. */
export async function startProcess(
  file: string,
  env: Record<string, string>,
  readyPath: string,
): Promise<ServerProcess> {
  const port = await freePort()
  const child = spawn(process.execPath, [...SERVER_NODE_ARGS, file], {
    env: { ...SERVER_ENV, ...process.env, LOG_LEVEL: 'warn', ...env, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const unexpected: string[] = []
  createInterface({ input: child.stdout }).on('line', (line) => {
    if (line.includes('"unexpected error"')) unexpected.push(line)
  })
  const endWithUs = () => child.kill('SIGKILL')
  process.once('exit', endWithUs)
  child.once('exit', () => process.off('exit', endWithUs))
  const origin = `http://127.0.0.1:${port}`
  for (let tries = 0; ; tries++) {
    if (child.exitCode !== null || tries > 3_000) throw new Error(`${file} did not start`)
    const answer = await fetch(`${origin}${readyPath}`).catch(() => undefined)
    await answer?.body?.cancel()
    if (answer !== undefined && answer.status < 500) break
    await sleep(100)
  }
  return {
    origin,
    process: child,
    unexpected,
    async stop() {
      // The terminal's Ctrl-C has reached it too.
      if (child.exitCode !== null || child.signalCode !== null) return
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
    },
  }
}

/** A separate PostgreSQL, with an address for any process. */
export async function startPostgres(): Promise<{ postgres: EmbeddedPostgres; url: string }> {
  const postgres = await startThrowawayPostgres()
  const credentials =
    postgres.password === undefined ? postgres.user : `${postgres.user}:${postgres.password}`
  const url = new URL(`postgres://${credentials}@localhost:${postgres.port}/postgres`)
  url.searchParams.set('host', postgres.host)
  return { postgres, url: url.href }
}
