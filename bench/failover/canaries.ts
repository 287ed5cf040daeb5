import type { Cluster } from './cluster.ts'

/** A mistake made on purpose: the drill must notice it. */
export interface Canary {
  /** On the whole cluster, before the servers start. */
  readonly spoil?: (cluster: Cluster) => Promise<void>
  /** For the servers. */
  readonly env?: Readonly<Record<string, string>>
  /** A fault that shows it. */
  readonly shownBy: string
  readonly isSynchronous: boolean
}

const spoiled = new URL('read-only-is-an-error.mjs', import.meta.url)

export const canaries: Readonly<Record<string, Canary>> = {
  /** Patroni lets the primary answer before a standby has the change. */
  'no-synchronous-mode': {
    shownBy: 'kill-primary',
    isSynchronous: false,
    async spoil(cluster) {
      await cluster.configure({ synchronous_mode: false, synchronous_mode_strict: false })
    },
  },
  /** Cellarhand's own connections do not wait for the standby. */
  'local-commit': {
    shownBy: 'kill-primary',
    isSynchronous: true,
    async spoil(cluster) {
      await cluster.query('alter role cellarhand set synchronous_commit = local')
    },
  },
  /** The server takes a database that only reads for a fault of its own. */
  'read-only-is-an-error': {
    shownBy: 'late-proxy',
    isSynchronous: true,
    env: { NODE_OPTIONS: `--import=${spoiled.href}` },
  },
}
