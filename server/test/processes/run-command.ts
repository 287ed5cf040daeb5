import { spawn, type ChildProcess } from 'node:child_process'
import { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { runAdmin } from '../../src/admin-commands.ts'

export interface Ended {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

export interface Running {
  readonly child: ChildProcess
  readonly ended: Promise<Ended>
}

export interface Start {
  readonly args?: readonly string[]
  readonly env: Record<string, string>
  readonly input?: string
}

/** The same admin command in this process. A process of its own takes a second of both cores before it begins. */
export async function runHere(
  args: readonly string[],
  { env, input = '' }: Omit<Start, 'args'>,
): Promise<Ended> {
  let out = ''
  let err = ''
  const code = await runAdmin(args, {
    env: { ...process.env, ...env },
    input: Readable.from([input]),
    say: (line) => (out += `${line}\n`),
    note: (text) => (err += text),
    isWatched: false,
  })
  return { code, out, err }
}

/** Runs a file of server/src in its own process, as `npm start` and `npm run admin` do. */
export function startFile(file: 'admin.ts' | 'main.ts', { args = [], env, input = '' }: Start): Running {
  const child = spawn(
    process.execPath,
    [fileURLToPath(new URL(`../../src/${file}`, import.meta.url)), ...args],
    {
      env: { ...process.env, ...env },
    },
  )
  let out = ''
  let err = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text))
  child.stdin.end(input)
  const ended = new Promise<Ended>((resolve) => child.on('close', (code) => resolve({ code, out, err })))
  return { child, ended }
}

/** Runs the command to its end, which is expected to be a good one. */
export async function done(running: Promise<Ended>): Promise<string> {
  const { code, out, err } = await running
  if (code !== 0) throw new Error(`${err}${out}`)
  return out
}
