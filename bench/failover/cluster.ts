import { execFile } from 'node:child_process'
import { chmodSync, chownSync, copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { unprivileged } from '../../scripts/system-postgres.mjs'
import { freePort } from '../../scripts/launch/free-port.mjs'
import { Machine, type MachinePlan } from './machine.ts'
import type { Programs } from './programs.ts'
import { Program } from './processes.ts'
import { until } from './until.ts'

const ready = join(import.meta.dirname, '../../ops/failover')
const scope = 'cellarhand'
const password = 'a-password-of-the-drill'

interface Member {
  readonly name: string
  readonly role: string
  readonly state: string
}

/** Three database machines and the HAProxy in front of them, with the files of ops/failover. */
export class Cluster {
  readonly machines: readonly Machine[]
  readonly #programs: Programs
  readonly #proxy: Program
  readonly #proxyPort: number
  readonly #proxySocket: string
  readonly #patroniFile: string

  private constructor(
    programs: Programs,
    { machines, proxyPort, folder }: { machines: readonly Machine[]; proxyPort: number; folder: string },
  ) {
    this.machines = machines
    this.#programs = programs
    this.#proxyPort = proxyPort
    this.#patroniFile = join(folder, 'patroni.yml')
    this.#proxySocket = join(folder, 'haproxy.socket')
    const extra = join(folder, 'haproxy-drill.cfg')
    writeFileSync(extra, `global\n  stats socket ${this.#proxySocket} level admin\n`)
    const env: Record<string, string> = { CELLARHAND_DATABASE: `127.0.0.1:${proxyPort}` }
    for (const [place, { ports }] of machines.entries()) {
      env[`DB${place + 1}`] = `127.0.0.1:${ports.postgres}`
      env[`DB${place + 1}_PATRONI_PORT`] = String(ports.patroni)
    }
    demandNames('haproxy.env', env)
    this.#proxy = new Program([programs.haproxy, '-db', '-f', join(folder, 'haproxy.cfg'), '-f', extra], {
      env,
      logFile: join(folder, 'haproxy.log'),
      account: undefined,
      cwd: folder,
    })
  }

  static async prepare(programs: Programs, folder: string): Promise<Cluster> {
    const account = unprivileged()
    if (account) chownSync(folder, account.uid, account.gid)
    chmodSync(folder, 0o755)
    copyFileSync(join(ready, 'patroni.yml'), join(folder, 'patroni.yml'))
    const proxyFile = readFileSync(join(ready, 'haproxy.cfg'), 'utf8')
    // Only root's HAProxy can become another user.
    writeFileSync(
      join(folder, 'haproxy.cfg'),
      account ? proxyFile : proxyFile.replaceAll(/^ {2}(user|group) .*\n/gm, ''),
    )
    for (const file of ['patroni.yml', 'haproxy.cfg']) chmodSync(join(folder, file), 0o644)
    const plans: MachinePlan[] = []
    for (const name of ['db1', 'db2', 'db3']) {
      const [etcd, etcdPeer, patroni, postgres] = await freePorts()
      plans.push({ name, ports: { etcd, etcdPeer, patroni, postgres } })
    }
    const deps = {
      folder,
      account,
      programs,
      plans,
      patroniFile: join(folder, 'patroni.yml'),
      password,
    }
    const machines = plans.map((plan) => new Machine(plan, deps))
    for (const { etcdEnv, patroniEnv } of machines) {
      demandNames('machine.env', patroniEnv)
      demandNames('etcd.env', etcdEnv)
    }
    return new Cluster(programs, { machines, proxyPort: await freePort(), folder })
  }

  async start(): Promise<void> {
    for (const machine of this.machines) machine.start()
    this.#proxy.start()
    await until('three database machines', 120, () => this.isWhole())
  }

  async stop(): Promise<void> {
    await Promise.all([...this.machines.map((machine) => machine.stop()), this.#proxy.close()])
  }

  /** Through HAProxy, as the servers go. */
  address(user: string, database: string): string {
    return `postgres://${user}:${password}@127.0.0.1:${this.#proxyPort}/${database}`
  }

  /** Past HAProxy. */
  addressOf(machine: Machine, user: string, database: string): string {
    return `postgres://${user}:${password}@127.0.0.1:${machine.ports.postgres}/${database}`
  }

  get password(): string {
    return password
  }

  /** One statement at the primary, as the superuser, past HAProxy, which may not know it yet. */
  async query<Row extends pg.QueryResultRow>(
    text: string,
    values: readonly unknown[] = [],
    database = 'postgres',
  ): Promise<Row[]> {
    const client = new pg.Client({
      connectionString: this.addressOf(await this.machineAs('leader'), 'postgres', database),
      connectionTimeoutMillis: 3_000,
      query_timeout: 20_000,
    })
    client.on('error', () => undefined)
    try {
      await client.connect()
      return (await client.query<Row>(text, [...values])).rows
    } finally {
      await client.end().catch(() => undefined)
    }
  }

  /** A primary, both standbys following it, and one of them may take over: by PostgreSQL's word and Patroni's. */
  async isWhole(isSynchronous = true): Promise<boolean> {
    try {
      const members = await this.members()
      const roles = members.map(({ role }) => role).toSorted()
      const wanted = isSynchronous ? ['leader', 'replica', 'sync_standby'] : ['leader', 'replica', 'replica']
      if (roles.join() !== wanted.join()) return false
      const [row] = await this.query<{ following: number; synchronous: number }>(
        `select count(*) filter (where state = 'streaming')::int as following,
           count(*) filter (where sync_state = 'sync')::int as synchronous from pg_stat_replication`,
      )
      return row?.following === 2 && (!isSynchronous || row.synchronous === 1)
    } catch {
      return false
    }
  }

  async members(): Promise<readonly Member[]> {
    for (const { ports } of this.machines) {
      const reply = await fetch(`http://127.0.0.1:${ports.patroni}/cluster`, {
        signal: AbortSignal.timeout(3_000),
      }).catch(() => undefined)
      if (reply?.ok === true) return ((await reply.json()) as { members: Member[] }).members
    }
    return []
  }

  /** The machine in this role now. */
  async machineAs(role: 'leader' | 'sync_standby' | 'replica'): Promise<Machine> {
    const name = (await this.members()).find((member) => member.role === role)?.name
    const machine = this.machines.find((each) => each.name === name)
    if (machine === undefined) throw new Error(`No machine is the ${role}`)
    return machine
  }

  async switchOver(from: Machine, to: Machine): Promise<void> {
    const args = [
      '-c',
      this.#patroniFile,
      'switchover',
      scope,
      '--leader',
      from.name,
      '--candidate',
      to.name,
      '--force',
    ]
    await promisify(execFile)(this.#programs.patronictl, args, {
      env: { PATH: process.env['PATH'] ?? '', LC_ALL: 'C.UTF-8', ...to.patroniEnv },
    })
  }

  /** Changes Patroni's settings of the whole cluster. */
  async configure(settings: object): Promise<void> {
    const machine = await this.machineAs('leader')
    const credential = Buffer.from(`patroni:${password}`).toString('base64')
    const reply = await fetch(`http://127.0.0.1:${machine.ports.patroni}/config`, {
      method: 'PATCH',
      headers: { authorization: `Basic ${credential}`, 'content-type': 'application/json' },
      body: JSON.stringify(settings),
    })
    if (!reply.ok) throw new Error(`Patroni answered ${reply.status}: ${await reply.text()}`)
  }

  async restartProxy(): Promise<void> {
    await this.#proxy.end('SIGKILL')
    this.#proxy.start()
  }

  /** HAProxy's checks of one machine: without them it goes on as it last saw it. */
  async checkHealth(machine: Machine, isChecked: boolean): Promise<void> {
    const socket = connect(this.#proxySocket)
    socket.on('error', () => undefined)
    socket.end(`${isChecked ? 'enable' : 'disable'} health primary/${machine.name}\n`)
    await new Promise((resolve) => socket.on('close', resolve).resume())
  }
}

/** A shop's engineer fills in these files. The drill has values of its own for the same names. */
function demandNames(file: string, env: Readonly<Record<string, string>>): void {
  const named = [...readFileSync(join(ready, file), 'utf8').matchAll(/^([A-Z][A-Z0-9_]*)=/gm)].map(
    ([, name = '']) => name,
  )
  const [theirs, ours] = [named, Object.keys(env)].map((names) => names.toSorted().join(', '))
  if (theirs !== ours) throw new Error(`ops/failover/${file} names ${theirs}, and the drill ${ours}`)
}

async function freePorts(): Promise<[number, number, number, number]> {
  return [await freePort(), await freePort(), await freePort(), await freePort()]
}
