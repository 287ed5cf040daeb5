import { lazyRouteComponent } from '@tanstack/react-router'
import { isReached } from '../calls/is-reached.ts'
import { loadInTime } from './lazy-part.ts'

/**
 * A page as a chunk of its own. If the server answers but the chunk is gone, a newer version of the desk has been
 * installed, and the router reloads the address. Without a connection it must not: the reload would leave no page.
 */
export function lazyPage<M extends object, Name extends keyof M>(load: () => Promise<M>, name: Name) {
  const loadPage = async (): Promise<M> => {
    try {
      return await loadInTime(load)
    } catch (error) {
      // A part that came too late has no cause, and the router would wait for ever on an undefined error.
      throw error instanceof Error && (await isReached()) ? (error.cause ?? error) : error
    }
  }
  return lazyRouteComponent(loadPage, name)
}
