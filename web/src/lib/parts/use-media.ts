import { useCallback, useSyncExternalStore } from 'react'

export function useMedia(query: string): boolean {
  const listen = useCallback(
    (listener: () => void) => {
      const media = matchMedia(query)
      media.addEventListener('change', listener)
      return () => media.removeEventListener('change', listener)
    },
    [query],
  )
  return useSyncExternalStore(listen, () => matchMedia(query).matches)
}

/** What a finger presses is larger (tokens.css). */
export const TOUCH = '(max-width: 1100px), (pointer: coarse)'
export const CARDS = '(max-width: 780px)'
