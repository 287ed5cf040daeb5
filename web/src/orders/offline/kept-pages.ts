import { hashKey, type QueryClient } from '@tanstack/react-query'
import { getSealed, putSealed, removeSealed } from '#lib/device/sealed-store.ts'
import { ownBuild } from './newer-build.ts'

/** An answer, and the moment at which the server gave it. */
export interface Kept {
  readonly key: readonly unknown[]
  readonly data: unknown
  readonly at: number
}

interface KeptPages {
  /** Another build may have other shapes. */
  readonly build: string
  readonly user: string
  readonly answers: readonly Kept[]
}

const NAME = 'pages'
const seal = { kind: 'session' } as const
const MOST = 40
/** Pick lists, Today with its notes, and the hand-over. */
const ofPages = /^GET \/m\/v2\/merchant\/\{tmk\}\/(picks|today|today\/clerks|shift|watch\/duty|notes)$/

interface Person {
  readonly user: string
  /** Whether the session of this person goes on. */
  readonly isStill: () => boolean
}

/** What this page has kept already; most of its changes concern orders alone. */
let keptState = ''

/**
 * Keeps the answers of the pages beside the orders, sealed like these. They have a record of their own: an answer stays
 * after its page, so that a page opened hours later still has it, with its moment.
 */
export async function keepPages(queryClient: QueryClient, { user, isStill }: Person): Promise<void> {
  const known = new Map<string, Kept>()
  for (const { queryKey: key, queryHash, state } of queryClient.getQueryCache().getAll())
    if (state.data !== undefined && ofPages.test(String(key[0])))
      known.set(queryHash, { key, data: state.data, at: state.dataUpdatedAt })
  const state = [user, ...[...known].map(([hash, { at }]) => `${hash} ${at}`)].join('\n')
  if (known.size === 0 || state === keptState) return
  let isNew = false
  const before = new Map((await answersOf(user)).map((each) => [hashKey(each.key), each]))
  for (const [hash, each] of known) {
    if (each.at <= (before.get(hash)?.at ?? 0)) continue
    isNew = true
    before.set(hash, each)
  }
  const answers = [...before.values()].toSorted((a, b) => b.at - a.at).slice(0, MOST)
  // Another tab may have signed out meanwhile, and somebody else in.
  if (!isStill()) return
  if (isNew) await putSealed(NAME, seal, { build: ownBuild(), user, answers } satisfies KeptPages)
  keptState = state
}

/** Gives the page what the device kept, each answer as old as it is. */
export function showPages(queryClient: QueryClient, answers: readonly Kept[]): void {
  for (const { key, data, at } of answers) queryClient.setQueryData(key, data, { updatedAt: at })
}

export async function forgetPages(): Promise<void> {
  keptState = ''
  await removeSealed(NAME)
}

export async function answersOf(user: string): Promise<readonly Kept[]> {
  const kept = (await getSealed(NAME, seal).catch(() => undefined)) as KeptPages | undefined
  return kept?.user === user && kept.build === ownBuild() ? kept.answers : []
}
