import { Menu } from '@mantine/core'
import { use, useRef, useState, type SyntheticEvent } from 'react'
import { useKeys } from '#lib/keys/keyboard.ts'
import { MantineRoot } from '#ui/theme/mantine-root.tsx'
import { downloadDetails } from '../order/download-details.ts'
import { allowedActions } from '../state/allowed-actions.ts'
import { DeskTools } from '../select/desk-tools.ts'
import { DotsButton } from './dots-button.tsx'
import type { ActionProps } from './next-button.tsx'
import { usePrint } from './use-print.ts'

/** The button of the row again, with its menu open: the menu later returns the focus to it. */
export function MoreMenu({ order, onStep }: ActionProps) {
  const [isOpen, setOpen] = useState(false)
  useKeys(isOpen)
  const hasOpened = useRef(false)
  const openFirst = (): void => {
    if (!hasOpened.current) setOpen(true)
    hasOpened.current = true
  }
  const { printSlip } = use(DeskTools)
  const { print } = usePrint(order)
  const actions = allowedActions(order)
  const canReject = actions.has('reject') || actions.has('reject_partly')
  return (
    <MantineRoot>
      <Menu
        opened={isOpen}
        onChange={setOpen}
        returnFocus
        withInitialFocusPlaceholder={false}
        position="bottom-end"
        width={210}
        transitionProps={{ duration: 0 }}
        shadow="md"
      >
        <Menu.Target>
          <DotsButton orderId={order.id} autoFocus onFocus={openFirst} />
        </Menu.Target>
        <Menu.Dropdown onClick={stop} onPointerDown={stop} onFocus={stop}>
          <Menu.Item onClick={() => onStep('review', order)}>Review Order</Menu.Item>
          {printSlip && <Menu.Item onClick={print}>Print packing slip</Menu.Item>}
          <Menu.Item onClick={() => void downloadDetails([order])}>Download CSV</Menu.Item>
          {canReject && (
            <>
              <Menu.Divider />
              <Menu.Item color="var(--red)" onClick={() => onStep('reject', order)}>
                Reject
              </Menu.Item>
            </>
          )}
        </Menu.Dropdown>
      </Menu>
    </MantineRoot>
  )
}

/** To React the menu is still inside the row, which opens its order when pressed. */
function stop(event: SyntheticEvent): void {
  event.stopPropagation()
}
