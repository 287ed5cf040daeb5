import type { ComponentProps, ReactNode } from 'react'
import { Button } from '../blocks/button.tsx'
import { Dialog, DialogButtons } from './dialog.tsx'
import { MantineRoot } from '../theme/mantine-root.tsx'

/** A dialog that may contain Mantine's fields. */
export function FormDialog(props: ComponentProps<typeof Dialog>) {
  return (
    <MantineRoot>
      <Dialog {...props} />
    </MantineRoot>
  )
}

interface ButtonsProps {
  onClose: () => void
  isBusy: boolean
  isDisabled?: boolean
  /** The word on the button that sends. */
  children: ReactNode
}

/** The end of a form in a dialog. */
export function FormButtons({ onClose, isBusy, isDisabled = false, children }: ButtonsProps) {
  return (
    <DialogButtons>
      <Button look="plain" onClick={onClose} disabled={isBusy}>
        CLOSE
      </Button>
      <Button type="submit" disabled={isDisabled} isBusy={isBusy}>
        {children}
      </Button>
    </DialogButtons>
  )
}
