import { heartbeatMs } from '@cellarhand/contract/heartbeat'
import type { ServerEvent } from './event-parser.ts'
import { eventParser } from './event-parser.ts'
import { config } from './config.ts'
import { learnServerTime } from '../time/server-clock.ts'
import { line } from './is-reached.ts'
import { storedToken } from '../kept/stored-session.ts'

/** `since` is the moment at which the server was last heard. */
export type StreamState = { kind: 'connecting' } | { kind: 'live' } | { kind: 'reconnecting'; since: number }

interface StreamOptions {
  path: string
  onEvent: (event: ServerEvent) => void
  onState: (state: StreamState) => void
  /** No session, or no permission, at this moment. The stream keeps asking until its owner ends it. */
  onRefused: () => void
}

const FIRST_WAIT_MS = 500
const LONGEST_WAIT_MS = 15_000
/** One heartbeat may come late. After a second missed one, the connection is dead. */
const SILENCE_MS = 2.5 * heartbeatMs
/** The first heartbeat comes at once. A proxy that delays it for longer holds back the whole stream. */
const OPENING_MS = 10_000
/** When a page comes to the front after so much silence, it or its connection has slept: it reconnects at once. */
const DOUBT_MS = 1.5 * heartbeatMs

/**
 * Server-sent events over fetch, because EventSource cannot send the bearer header.
 * Resumes with Last-Event-ID and never gives up; returns the function that ends it.
 */
export function openEventStream(options: StreamOptions): () => void {
  const stop = new AbortController()
  void keepOpen(options, stop.signal)
  return () => stop.abort()
}

async function keepOpen(options: StreamOptions, stopped: AbortSignal): Promise<void> {
  let lastEventId = ''
  let waitMs = FIRST_WAIT_MS
  let heardAt = Date.now()
  while (!stopped.aborted) {
    try {
      await readOnce({
        ...options,
        lastEventId,
        stopped,
        onOpen() {
          waitMs = FIRST_WAIT_MS
          line.isInDoubt = false
          options.onState({ kind: 'live' })
        },
        onHeard() {
          heardAt = Date.now()
        },
        onId(id) {
          lastEventId = id
        },
      })
    } catch (error) {
      if (error instanceof Refused) options.onRefused()
    }
    if (stopped.aborted) return
    line.isInDoubt = true
    options.onState({ kind: 'reconnecting', since: heardAt })
    await pause(waitMs * (0.75 + Math.random() / 2), stopped)
    waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS)
  }
}

class Refused extends Error {}

interface ReadOptions extends StreamOptions {
  lastEventId: string
  stopped: AbortSignal
  onOpen: () => void
  onHeard: () => void
  onId: (id: string) => void
}

async function readOnce(options: ReadOptions): Promise<void> {
  const { path, lastEventId, stopped, onOpen } = options
  const sentAt = Date.now()
  const silence = watchSilence()
  try {
    const reply = await fetch(`${config.apiBase}${path}`, {
      headers: {
        accept: 'text/event-stream',
        authorization: `Bearer ${storedToken() ?? ''}`,
        ...(lastEventId && { 'last-event-id': lastEventId }),
      },
      cache: 'no-store',
      signal: AbortSignal.any([stopped, silence.signal]),
    })
    if (reply.status === 401 || reply.status === 403) throw new Refused()
    if (!reply.ok || !reply.body) throw new Error(`event stream answered ${reply.status}`)
    learnServerTime(reply.headers.get('date'), sentAt)
    const parse = eventParser(options)
    const reader = reply.body.pipeThrough(new TextDecoderStream()).getReader()
    let isOpen = false
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      silence.break()
      options.onHeard()
      // Only an arrived event proves that the way is open: a proxy may pass the head and hold back the rest.
      if (!isOpen) onOpen()
      isOpen = true
      parse(value)
    }
  } finally {
    silence.end()
  }
}

interface Silence {
  /** Aborts after too long a silence. */
  signal: AbortSignal
  break: () => void
  end: () => void
}

function watchSilence(): Silence {
  const control = new AbortController()
  let heardAt = Date.now()
  let timer = setTimeout(() => control.abort(), OPENING_MS)
  const doubt = (): void => {
    const isAwake = document.visibilityState === 'visible'
    if (isAwake && Date.now() - heardAt > DOUBT_MS) control.abort()
  }
  document.addEventListener('visibilitychange', doubt)
  addEventListener('online', doubt)
  return {
    signal: control.signal,
    break() {
      heardAt = Date.now()
      clearTimeout(timer)
      timer = setTimeout(() => control.abort(), SILENCE_MS)
    },
    end() {
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', doubt)
      removeEventListener('online', doubt)
    },
  }
}

function pause(ms: number, stopped: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer)
      stopped.removeEventListener('abort', done)
      removeEventListener('online', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    stopped.addEventListener('abort', done)
    addEventListener('online', done)
  })
}
