import { useEffectEvent, useLayoutEffect } from 'react'
import { takeKeys } from '#lib/keys/keyboard.ts'

/** Owns the keys while the browser fetches a menu, panel or form. Escape cancels. */
export function OpeningKeys({ onClose }: { onClose: () => void }) {
  const close = useEffectEvent(onClose)
  useLayoutEffect(() => {
    const keys = takeKeys(null)
    const listen = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape' || event.defaultPrevented || !keys.isOnTop()) return
      event.preventDefault()
      close()
    }
    addEventListener('keydown', listen)
    return () => {
      removeEventListener('keydown', listen)
      keys.giveBack()
    }
  }, [])
  return null
}
