import type { StreamState } from '#lib/calls/event-stream.ts'
import { createStore } from '#lib/kept/store.ts'

/** The interval of questions to the server while no stream is open. */
export const POLL_MS = 30_000

/** Since the server was last heard. Before that, the header calls it a reconnect. */
export const OFFLINE_AFTER_MS = 20_000

/** Whether the stream of events is open. */
export const liveState = createStore<StreamState>({ kind: 'connecting' })
