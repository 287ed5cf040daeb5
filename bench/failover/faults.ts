import { setTimeout as sleep } from 'node:timers/promises'
import type { Cluster } from './cluster.ts'
import { probe } from './probe.ts'

interface Mishap {
  /** Ends the fault, where it does not end by itself. It tells what it has seen amiss. */
  readonly heal?: () => Promise<string[]>
}

export interface Fault {
  readonly name: string
  /** Nobody can write until it is healed, so that the time of writing again counts from there. */
  readonly stopsWriting?: boolean
  /** Lists stay readable all the time. */
  readonly keepsReading?: boolean
  begin(cluster: Cluster, random: () => number): Promise<Mishap>
}

const healed = (work: () => Promise<unknown> | void) => async () => {
  await work()
  return []
}

/** In half of the cases the standbys are cut off a moment before: what they lack must not have been acknowledged. */
async function cutOff(cluster: Cluster, random: () => number): Promise<void> {
  if (random() < 0.5) return
  const primary = await cluster.machineAs('leader')
  primary.holdBackLog()
  await sleep(200 + 600 * random())
}

const killPostgres: Fault = {
  name: 'kill-postgres',
  async begin(cluster, random) {
    const primary = await cluster.machineAs('leader')
    await cutOff(cluster, random)
    primary.killPostgres()
    return {}
  },
}

const killPrimary: Fault = {
  name: 'kill-primary',
  async begin(cluster, random) {
    const primary = await cluster.machineAs('leader')
    await cutOff(cluster, random)
    await primary.kill()
    return { heal: healed(() => primary.start()) }
  },
}

const freezePrimary: Fault = {
  name: 'freeze-primary',
  async begin(cluster) {
    const primary = await cluster.machineAs('leader')
    primary.freeze()
    return {
      async heal() {
        const taken = probe(cluster, primary)
        primary.wake()
        const writes = await taken
        return writes === 0 ? [] : [`the woken primary took ${writes} writes`]
      },
    }
  },
}

const loseStandby: Fault = {
  name: 'lose-standby',
  keepsReading: true,
  async begin(cluster) {
    const standby = await cluster.machineAs('sync_standby')
    await standby.kill()
    return { heal: healed(() => standby.start()) }
  },
}

const loseBoth: Fault = {
  name: 'lose-both-standbys',
  stopsWriting: true,
  keepsReading: true,
  async begin(cluster) {
    const standbys = [await cluster.machineAs('sync_standby'), await cluster.machineAs('replica')]
    // Their etcds live on: a machine without a majority would have to stop reading too.
    await Promise.all(standbys.map((standby) => standby.killDatabase()))
    return {
      heal: healed(() => {
        for (const standby of standbys) standby.startDatabase()
      }),
    }
  },
}

const loseEtcd: Fault = {
  name: 'lose-etcd',
  keepsReading: true,
  async begin(cluster, random) {
    await Promise.all(cluster.machines.map((machine) => machine.killEtcd()))
    // Longer than the lease of the primary.
    await sleep(22_000 + 5_000 * random())
    return {
      heal: healed(() => {
        for (const machine of cluster.machines) machine.startEtcd()
      }),
    }
  },
}

const switchOver: Fault = {
  name: 'switch-over',
  async begin(cluster) {
    await cluster.switchOver(await cluster.machineAs('leader'), await cluster.machineAs('sync_standby'))
    return {}
  },
}

/** HAProxy notices nothing for a while: half of the connections reach a machine that only reads. */
const lateProxy: Fault = {
  name: 'late-proxy',
  async begin(cluster) {
    const primary = await cluster.machineAs('leader')
    await cluster.checkHealth(primary, false)
    await cluster.switchOver(primary, await cluster.machineAs('sync_standby'))
    await sleep(8_000)
    return { heal: healed(() => cluster.checkHealth(primary, true)) }
  },
}

const restartProxy: Fault = {
  name: 'restart-haproxy',
  async begin(cluster) {
    await cluster.restartProxy()
    return {}
  },
}

/** Falls together with the loss of the primary. */
const companions: Fault[] = [
  restartProxy,
  {
    name: 'lose-other-standby',
    async begin(cluster) {
      const standby = await cluster.machineAs('replica')
      await standby.killDatabase()
      return { heal: healed(() => standby.startDatabase()) }
    },
  },
  {
    name: 'lose-one-etcd',
    async begin(cluster) {
      const standby = await cluster.machineAs('replica')
      await standby.killEtcd()
      return { heal: healed(() => standby.startEtcd()) }
    },
  },
]

function together(one: Fault, other: Fault): Fault {
  return {
    name: `${one.name} + ${other.name}`,
    // With a whole machine gone the other two are both needed. A killed PostgreSQL comes back by itself.
    stopsWriting: one !== killPostgres && other !== restartProxy,
    async begin(cluster, random) {
      // First the one that has to ask for the roles, which nobody knows in the middle of a fail-over.
      const second = await other.begin(cluster, random)
      const first = await one.begin(cluster, random)
      return {
        heal: async () => [...((await second.heal?.()) ?? []), ...((await first.heal?.()) ?? [])],
      }
    },
  }
}

const single = [
  killPostgres,
  killPrimary,
  freezePrimary,
  loseStandby,
  loseBoth,
  loseEtcd,
  switchOver,
  lateProxy,
  restartProxy,
]
export const faultNames = [...single.map(({ name }) => name), 'two-at-once']

/** Each kind once, in an order of its own, then again. */
export function* chooseFaults(only: readonly string[], random: () => number): Generator<Fault, never> {
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T
  for (;;) {
    const left = only.length > 0 ? [...only] : [...faultNames]
    while (left.length > 0) {
      const [name] = left.splice(Math.floor(random() * left.length), 1)
      const fault = single.find((each) => each.name === name)
      yield fault ?? together(pick([killPostgres, killPrimary, freezePrimary]), pick(companions))
    }
  }
}
