import { newId } from '#lib/calls/new-id.ts'
import { createStore } from '#lib/kept/store.ts'
import type { User } from '../session/session.ts'

export interface SignInLink {
  token: string
  merchant: string
  attempt: string
}

/** The states of a sign-in link. */
export type HandOver =
  | { kind: 'taken'; link: SignInLink }
  | { kind: 'redeeming' }
  | { kind: 'unanswered'; onRetry: () => void; onGoOn: () => void }
  | {
      kind: 'asking'
      /** The signed-in user; undefined if that session has ended meanwhile. */
      former: User | undefined
      next: User
      onStay: () => void
      onReplace: () => void
    }

/** The link that opened this page; null once it is settled, and on every other page. */
export const handOver = createStore<HandOver | null>(null)

/**
 * Takes a sign-in link's token out of the address before other code can read it there (GAP-38). It stays in memory:
 * only a session from the server's answer replaces the stored one.
 */
export function takeHandOver(): void {
  const address = new URL(location.href)
  const token = address.searchParams.get('jwt')
  const merchant = address.searchParams.get('tmk')
  if (token === null && merchant === null) return
  address.searchParams.delete('jwt')
  address.searchParams.delete('tmk')
  history.replaceState(history.state, '', address)
  if (token && merchant) handOver.set({ kind: 'taken', link: { token, merchant, attempt: newId() } })
}
