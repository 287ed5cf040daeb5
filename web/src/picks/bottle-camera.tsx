import { useEffect, useRef } from 'react'
import { createStore } from '#lib/kept/store.ts'
import { Camera } from '#ui/camera/camera.tsx'
import { takeBackFailure, tellFailure } from '#ui/notes/toasts.tsx'

/** Stays on from one order to the next. */
export const isFilming = createStore(false)

/** A bottle that stays in the picture counts once: the next one counts after it was out of sight for so long. */
const awayMs = 1_000
/** And in so many pictures: a slow device takes none for a while, and the bottle is still there. */
const awayPictures = 3

const action = 'bottle camera'

/** One count for each bottle that is held before the camera. */
export function BottleCamera({ onScan }: { onScan: (code: string) => void }) {
  const seen = useRef({ code: '', empty: 0, emptySince: 0 })
  // The camera is switched on again.
  useEffect(() => takeBackFailure(action), [])
  return (
    <Camera
      load={async () => (await import('./decode-bottle.ts')).decodeBottle}
      hint="Hold the barcode of the bottle in the picture, and take it away before the next one."
      onText={(code) => {
        const { code: before, empty, emptySince } = seen.current
        seen.current = { code, empty: 0, emptySince: 0 }
        const wasAway = empty >= awayPictures && Date.now() - emptySince > awayMs
        if (code !== before || wasAway) onScan(code)
        return false
      }}
      onNothing={() => {
        const { code, empty, emptySince } = seen.current
        seen.current = { code, empty: empty + 1, emptySince: empty === 0 ? Date.now() : emptySince }
      }}
      onFailure={(words) => {
        isFilming.set(false)
        tellFailure(action, words)
      }}
    />
  )
}
