import { createStore } from '#lib/kept/store.ts'

/**
 * Whether calls reach the server. `away` only once the header says "Offline since" and a try has failed too: a
 * connection that breaks for a moment is no news, and a proxy may hold back the stream and pass every call.
 */
export const lineState = createStore<'unknown' | 'there' | 'away'>('unknown')
