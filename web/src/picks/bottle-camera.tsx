import { useRef } from 'react'
import { createStore } from '#lib/kept/store.ts'
import { Camera } from '#ui/camera/camera.tsx'
import { toast } from '#ui/notes/toasts.tsx'

/** Stays on from one order to the next. */
export const isFilming = createStore(false)

/** A bottle that stays in the picture counts once: the next one counts after it was out of sight for so long. */
const awayMs = 1_000

/** One count for each bottle that is held before the camera. */
export function BottleCamera({ onScan }: { onScan: (code: string) => void }) {
  const seen = useRef({ code: '', at: 0 })
  return (
    <Camera
      load={async () => (await import('./decode-bottle.ts')).decodeBottle}
      hint="Hold the barcode of the bottle in the picture, and take it away before the next one."
      onText={(code) => {
        const { code: before, at } = seen.current
        seen.current = { code, at: Date.now() }
        if (code !== before || Date.now() - at > awayMs) onScan(code)
        return false
      }}
      onFailure={(words) => {
        isFilming.set(false)
        toast('error', words)
      }}
    />
  )
}
