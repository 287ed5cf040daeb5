import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Cluster } from './cluster.ts'
import type { Machine } from './machine.ts'

/** Patroni on the woken machine has looked twice by then. */
const probeMs = 10_000

/** Asks a woken primary directly, past HAProxy, to write. Returns how often it said yes, unless it leads again. */
export async function probe(cluster: Cluster, machine: Machine): Promise<number> {
  let taken = 0
  const connectionString = cluster.addressOf(machine, 'cellarhand', 'cellarhand')
  for (const end = Date.now() + probeMs; Date.now() < end; await sleep(50)) {
    const client = new pg.Client({ connectionString, connectionTimeoutMillis: 2_000, query_timeout: 5_000 })
    client.on('error', () => undefined)
    try {
      await client.connect()
      await client.query('create table if not exists drill_probe (at timestamptz)')
      await client.query('insert into drill_probe values (now())')
      taken++
    } catch {
      // It refuses, waits in vain, or ends: all of that is well.
    } finally {
      void client.end().catch(() => undefined)
    }
  }
  return (await cluster.machineAs('leader')) === machine ? 0 : taken
}
