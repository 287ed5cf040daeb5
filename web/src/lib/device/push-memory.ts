import { kept } from '../kept/browser-storage.ts'
import { storedToken } from '../kept/stored-session.ts'
import { claimsOf } from '../kept/token-claims.ts'

/** The sign-out removes it by its name (`app/end-push.ts`). */
const KEY = 'cellarhand-push'

/** The device as the server last listed it. The browser itself may lose its subscription without a word. */
interface PushMemory {
  id: string
  due_orders: boolean
}

/** Undefined where this person has not switched this device on for this shop. */
export function rememberedPush(tmk: string): PushMemory | undefined {
  try {
    const { owner, id, due_orders } = JSON.parse(kept.get(KEY) ?? '{}') as Partial<
      PushMemory & { owner: string }
    >
    return owner && owner === ownerOf(tmk) && id ? { id, due_orders: due_orders === true } : undefined
  } catch {
    return undefined
  }
}

/** An answer that comes after the sign-out leaves nothing for the next person. */
export function rememberPush(tmk: string, { id, due_orders }: PushMemory): void {
  const owner = ownerOf(tmk)
  if (owner) kept.set(KEY, JSON.stringify({ owner, id, due_orders }))
}

export function forgetPush(): void {
  kept.remove(KEY)
}

/** The next person on the same device has another one; undefined without a session. */
function ownerOf(tmk: string): string | undefined {
  const { sub } = claimsOf(storedToken() ?? '')
  return sub && `${sub} ${tmk}`
}
