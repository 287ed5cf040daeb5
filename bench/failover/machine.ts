import { mkdirSync, readFileSync, chownSync } from 'node:fs'
import { join } from 'node:path'
import { below, listRunning, Program, signal, type Account, type Running } from './processes.ts'
import { until } from './until.ts'

interface MachinePorts {
  readonly etcd: number
  readonly etcdPeer: number
  readonly patroni: number
  readonly postgres: number
}

export interface MachinePlan {
  readonly name: string
  readonly ports: MachinePorts
}

interface MachineDeps {
  readonly folder: string
  readonly account: Account | undefined
  readonly programs: { readonly etcd: string; readonly patroni: string; readonly postgres: string }
  /** All machines, which find each other by etcd. */
  readonly plans: readonly MachinePlan[]
  readonly patroniFile: string
  readonly password: string
}

/** One database machine: etcd, Patroni, and the PostgreSQL that Patroni runs. */
export class Machine {
  readonly name: string
  readonly ports: MachinePorts
  readonly etcdEnv: Readonly<Record<string, string>>
  /** For patronictl too. */
  readonly patroniEnv: Readonly<Record<string, string>>
  readonly #data: string
  readonly #etcd: Program
  readonly #patroni: Program

  constructor({ name, ports }: MachinePlan, deps: MachineDeps) {
    this.name = name
    this.ports = ports
    const folder = join(deps.folder, name)
    mkdirSync(folder)
    if (deps.account) chownSync(folder, deps.account.uid, deps.account.gid)
    this.#data = join(folder, 'postgres')
    const at = (port: number) => `127.0.0.1:${port}`
    const { account } = deps
    this.etcdEnv = {
      ETCD_NAME: name,
      ETCD_LISTEN_CLIENT_URLS: `http://${at(ports.etcd)}`,
      ETCD_ADVERTISE_CLIENT_URLS: `http://${at(ports.etcd)}`,
      ETCD_LISTEN_PEER_URLS: `http://${at(ports.etcdPeer)}`,
      ETCD_INITIAL_ADVERTISE_PEER_URLS: `http://${at(ports.etcdPeer)}`,
      ETCD_INITIAL_CLUSTER: deps.plans
        .map((plan) => `${plan.name}=http://${at(plan.ports.etcdPeer)}`)
        .join(','),
      ETCD_INITIAL_CLUSTER_TOKEN: 'cellarhand',
    }
    // The data folder is that of Debian's unit elsewhere.
    const ofUnit = { ETCD_DATA_DIR: join(folder, 'etcd'), ETCD_LOG_LEVEL: 'warn' }
    this.#etcd = new Program([deps.programs.etcd], {
      env: { ...this.etcdEnv, ...ofUnit },
      logFile: join(deps.folder, `${name}-etcd.log`),
      account,
      cwd: folder,
    })
    this.patroniEnv = {
      PATRONI_NAME: name,
      PATRONI_ETCD3_HOSTS: deps.plans.map((plan) => at(plan.ports.etcd)).join(','),
      PATRONI_RESTAPI_LISTEN: at(ports.patroni),
      PATRONI_RESTAPI_CONNECT_ADDRESS: at(ports.patroni),
      PATRONI_RESTAPI_USERNAME: 'patroni',
      PATRONI_RESTAPI_PASSWORD: deps.password,
      PATRONI_POSTGRESQL_LISTEN: at(ports.postgres),
      PATRONI_POSTGRESQL_CONNECT_ADDRESS: at(ports.postgres),
      PATRONI_POSTGRESQL_DATA_DIR: this.#data,
      PATRONI_POSTGRESQL_BIN_DIR: deps.programs.postgres,
      PATRONI_POSTGRESQL_PGPASS: join(folder, 'pgpass'),
      PATRONI_SUPERUSER_PASSWORD: deps.password,
      PATRONI_REPLICATION_PASSWORD: deps.password,
    }
    this.#patroni = new Program([deps.programs.patroni, deps.patroniFile], {
      env: this.patroniEnv,
      logFile: join(deps.folder, `${name}-patroni.log`),
      account,
      cwd: folder,
    })
  }

  startEtcd(): void {
    if (this.#etcd.pid === undefined) this.#etcd.start()
  }

  killEtcd(): Promise<void> {
    return this.#etcd.end('SIGKILL')
  }

  startDatabase(): void {
    if (this.#patroni.pid === undefined) this.#patroni.start()
  }

  start(): void {
    this.startEtcd()
    this.startDatabase()
  }

  /** The rest notices, except for a part that is stopped: it would keep the machine from starting again. */
  killPostgres(): void {
    const parts = this.#postgres()
    signal(this.#postmaster(), 'SIGKILL')
    for (const { pid, title } of parts) if (title.includes('walsender')) signal(pid, 'SIGKILL')
  }

  async killDatabase(): Promise<void> {
    const postgres = this.#postgres()
    await this.#patroni.end('SIGKILL')
    for (const { pid } of postgres) signal(pid, 'SIGKILL')
  }

  async kill(): Promise<void> {
    await Promise.all([this.killDatabase(), this.killEtcd()])
  }

  /** As a virtual machine that is moved, or one that has run out of memory. */
  freeze(): void {
    this.#signalAll('SIGSTOP')
  }

  wake(): void {
    this.#signalAll('SIGCONT')
  }

  /** The standbys get nothing any more, as when the cable to them is pulled first. */
  holdBackLog(): void {
    for (const { pid, title } of this.#postgres()) if (title.includes('walsender')) signal(pid, 'SIGSTOP')
  }

  /** Ends all of it for good. PostgreSQL gives its shared memory back, which it cannot do when it is killed. */
  async stop(): Promise<void> {
    this.wake()
    await Promise.all([this.#patroni.close(), this.#etcd.close()])
    signal(this.#postmaster(), 'SIGQUIT')
    await until('end of PostgreSQL', 10, () => this.#atWork().length === 0).catch(() => undefined)
    for (const { pid } of this.#atWork()) signal(pid, 'SIGKILL')
  }

  /** Also a copy that Patroni has just begun to make. */
  #atWork(): Running[] {
    return listRunning().filter(({ title }) => title.includes(this.#data))
  }

  #signalAll(name: NodeJS.Signals): void {
    const pids = [this.#etcd.pid, this.#patroni.pid, ...this.#postgres().map(({ pid }) => pid)]
    for (const pid of pids) signal(pid, name)
  }

  #postgres(): Running[] {
    const pid = this.#postmaster()
    return pid === undefined ? [] : [{ pid, parent: 1, title: 'postgres' }, ...below(pid)]
  }

  #postmaster(): number | undefined {
    try {
      const pid = Number(readFileSync(join(this.#data, 'postmaster.pid'), 'utf8').split('\n')[0])
      // The file of a killed one stays, and the system may have given its number away.
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(this.#data) ? pid : undefined
    } catch {
      return undefined
    }
  }
}
