import { withLimit } from './in-time.ts'

/** In doubt while the event stream is away. With `hasParts`, the device has every part of this page (`keep-desk.ts`). */
export const line = { isInDoubt: false, hasParts: false }

/** Whether the server answers at this moment. */
export async function isReached(): Promise<boolean> {
  try {
    await withLimit(5_000, undefined, (signal) => fetch('/', { method: 'HEAD', cache: 'no-store', signal }))
    return true
  } catch {
    return false
  }
}
