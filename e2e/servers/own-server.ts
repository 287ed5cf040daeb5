import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { root } from '../shop.ts'

/** A server with a database of its own, for a change that would reach the pages of all other tests. */
export interface OwnServer {
  readonly url: string
  readonly dataDir: string
}

/** Starts one for as long as `use` takes; its folder goes with it. */
export async function withOwnServer(use: (server: OwnServer) => Promise<void>): Promise<void> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'cellarhand-own-'))
  const child = spawn(process.execPath, ['scripts/e2e-server.mjs'], {
    cwd: root,
    env: { ...process.env, PORT: '0', E2E_DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  try {
    await use({ dataDir, url: await readyAt(child.stdout) })
  } finally {
    child.kill('SIGTERM')
    await ended
  }
}

function readyAt(stdout: NodeJS.ReadableStream): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = ''
    // It is read to the end, because a server that nobody reads from ends at its next line.
    stdout.setEncoding('utf8').on('data', (piece: string) => {
      said += piece
      const url = /ready at (http:\S+)\s/.exec(said)?.[1]
      if (url !== undefined) resolve(url)
    })
    stdout.on('end', () => reject(new Error(`The server ended before it was ready: ${said}`)))
  })
}
