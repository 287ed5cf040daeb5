import { lazyRouteComponent } from '@tanstack/react-router'
import { isReached } from '../calls/is-reached.ts'
import { loadInTime } from './lazy-part.ts'

/**
 * A page as a chunk of its own. Where the server answers and the chunk is gone, a newer version of the desk was
 * installed, and the router loads the address anew. It must not do so without a line: nothing would be left then.
 */
export function lazyPage<M extends object, Name extends keyof M>(load: () => Promise<M>, name: Name) {
  const loadPage = async (): Promise<M> => {
    try {
      return await loadInTime(load)
    } catch (error) {
      // A part that was too late has no cause, and the router would wait for ever on an error that is undefined.
      throw error instanceof Error && (await isReached()) ? (error.cause ?? error) : error
    }
  }
  return lazyRouteComponent(loadPage, name)
}
