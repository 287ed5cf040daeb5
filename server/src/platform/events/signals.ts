import type { Timer } from '../clock/clock.ts'
import type { Database } from '../db/database.ts'
import type { Listening } from './listening.ts'

export const signalChannel = 'cellarhand_signals'

/** Tells every process that something of a merchant has changed; each process reads the new state itself. */
export interface Signals {
  send(topic: string, merchantId: string): void
  on(hear: (topic: string, merchantId: string) => void): void
  stop(): Promise<void>
}

/** Every committing transaction waits for the lock of a NOTIFY, so changes close together leave as one notice. */
const gatherMs = 15
/** PostgreSQL takes less than 8,000 bytes at a time. */
const perNotice = 50

export function createSignals(
  db: Database,
  listening: Listening,
  onError: (error: unknown) => void,
): Signals {
  const waiting = new Set<string>()
  let timer: Timer | undefined
  let sending: Promise<void> | undefined

  async function flush(): Promise<void> {
    timer = undefined
    const notices = [...waiting]
    waiting.clear()
    for (let at = 0; at < notices.length; at += perNotice) {
      await db.systemQuery('select pg_notify($1, $2)', [
        signalChannel,
        notices.slice(at, at + perNotice).join('\n'),
      ])
    }
  }

  return {
    send(topic, merchantId) {
      waiting.add(`${topic} ${merchantId}`)
      timer ??= db.clock.after(gatherMs, () => (sending = flush().catch(onError)))
    },
    on(hear) {
      listening.on(signalChannel, (payload) => {
        for (const notice of payload.split('\n')) {
          const [topic = '', merchantId = ''] = notice.split(' ')
          hear(topic, merchantId)
        }
      })
    },
    async stop() {
      timer?.stop()
      await sending
    },
  }
}
