import { spawn, type ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'

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
