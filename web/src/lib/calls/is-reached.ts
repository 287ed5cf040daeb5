import { withLimit } from './in-time.ts'

/** In doubt while the event stream is away. With `hasParts`, the device has every part of this page (`keep-desk.ts`). */
export const line = { isInDoubt: false, hasParts: false }

/** Whether the server answers at this moment. A proxy that answers in its place (502 to 504) does not count. */
export async function isReached(): Promise<boolean> {
  try {
    const init = { method: 'HEAD', cache: 'no-store' } as const
    const { status } = await withLimit(5_000, undefined, (signal) => fetch('/', { ...init, signal }))
    return status < 502
  } catch {
    return false
  }
}
