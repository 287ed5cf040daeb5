import { Suspense, useState, type ComponentPropsWithoutRef, type ReactElement, type ReactNode } from 'react'
import { OpeningKeys } from './opening-keys.tsx'

interface Props {
  preload: () => void
  /** The menu's button, before the menu is fetched. */
  button: (props: ComponentPropsWithoutRef<'button'>) => ReactElement
  /** The same button with its menu open. */
  children: ReactNode
}

/** The button appears at once. Its menu is fetched when a hand or the focus comes near. */
export function MenuPart({ preload, button, children }: Props) {
  const [isWanted, setWanted] = useState(false)
  const closed = button({
    'aria-haspopup': 'menu',
    'aria-expanded': false,
    onPointerEnter: preload,
    onFocus: preload,
    onClick: () => setWanted(true),
  })
  if (!isWanted) return closed
  return (
    <Suspense
      fallback={
        <>
          {closed}
          <OpeningKeys onClose={() => setWanted(false)} />
        </>
      }
    >
      {children}
    </Suspense>
  )
}
