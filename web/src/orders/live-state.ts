import type { StreamState } from '#lib/event-stream.ts'
import { createStore } from '#lib/store.ts'

/** Whether the stream of events is open. */
export const liveState = createStore<StreamState>({ kind: 'connecting' })
