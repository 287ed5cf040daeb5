import { lazyPart } from '#lib/parts/lazy-part.ts'
import { MenuPart } from '#ui/dialogs/menu-part.tsx'
import { DotsButton } from './dots-button.tsx'
import type { ActionProps } from './next-button.tsx'

const MoreMenu = lazyPart(() => import('./more-menu.tsx'), 'MoreMenu')

/** What else can be done with the order. */
export function MoreButton(props: ActionProps) {
  return (
    <MenuPart
      preload={MoreMenu.preload}
      button={(given) => <DotsButton orderId={props.order.id} {...given} />}
    >
      <MoreMenu {...props} />
    </MenuPart>
  )
}
