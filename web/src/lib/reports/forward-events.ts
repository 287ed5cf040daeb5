import { call } from '../calls/call.ts'
import { newId } from '../calls/new-id.ts'
import { storedToken } from '../kept/stored-session.ts'

const AFTER_MS = 5_000
const AT_ONCE = 50

type Event = Parameters<typeof call<'POST /insights/v1/events'>>[1]['body']['events'][number]

let waiting: Event[] = []
let timer: ReturnType<typeof setTimeout> | undefined

/** Collects events for some seconds and sends them to our server, which forwards them. A lost event does no harm. */
export function forwardEvent(event: string, properties: Record<string, string | number | boolean>): void {
  waiting.push({ event, properties, message_id: newId(), time: new Date().toISOString() })
  if (waiting.length >= AT_ONCE) return send()
  timer ??= setTimeout(send, AFTER_MS)
}

function send(): void {
  clearTimeout(timer)
  timer = undefined
  const events = waiting.splice(0, AT_ONCE)
  if (events.length === 0 || storedToken() === null) return
  call('POST /insights/v1/events', { body: { events } }).catch(() => undefined)
}
