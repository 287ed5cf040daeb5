import pg from 'pg'
import type { Clock, Timer } from '../clock/clock.ts'
import { poolOptions, type DatabaseAddress } from '../db/database.ts'

export interface Listening {
  /** Calls back for each NOTIFY of the channel. */
  on(channel: string, hear: (payload: string) => void): void
  /** Calls back on every connection and reconnection: notices in between were lost. */
  onConnect(catchUp: () => void): void
  stop(): Promise<void>
}

const reconnectMs = 1_000

/** One dedicated connection per process, reopened whenever it breaks. */
export function startListening(
  address: DatabaseAddress,
  channels: readonly string[],
  { clock, onError }: { clock: Clock; onError: (error: unknown) => void },
): Listening {
  const ears = new Map<string, ((payload: string) => void)[]>()
  const catchUps: (() => void)[] = []
  let client: pg.Client | undefined
  let retry: Timer | undefined
  let isConnected = false
  let isStopped = false

  async function connect(): Promise<void> {
    if (isStopped) return
    const mine = new pg.Client({
      ...poolOptions(address, 'cellarhand_system'),
      pipeline: false,
    } as pg.ClientConfig)
    client = mine
    mine.on('notification', ({ channel, payload }) => {
      for (const hear of ears.get(channel) ?? []) hear(payload ?? '')
    })
    mine.on('error', () => undefined)
    mine.on('end', () => {
      isConnected = false
      if (!isStopped) retry = clock.after(reconnectMs, () => void connect())
    })
    try {
      await mine.connect()
      await mine.query(channels.map((channel) => `listen ${channel}`).join('; '))
      isConnected = true
      for (const catchUp of catchUps) catchUp()
    } catch (error) {
      onError(error)
      await mine.end().catch(() => undefined)
    }
  }
  void connect()

  return {
    on: (channel, hear) => ears.set(channel, [...(ears.get(channel) ?? []), hear]),
    onConnect(catchUp) {
      catchUps.push(catchUp)
      if (isConnected) catchUp()
    },
    async stop() {
      isStopped = true
      retry?.stop()
      await client?.end().catch(() => undefined)
    },
  }
}
