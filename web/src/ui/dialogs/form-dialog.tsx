import type { ComponentProps } from 'react'
import { Dialog } from './dialog.tsx'
import { MantineRoot } from '../theme/mantine-root.tsx'

/** A dialog that may contain Mantine's fields. */
export function FormDialog(props: ComponentProps<typeof Dialog>) {
  return (
    <MantineRoot>
      <Dialog {...props} />
    </MantineRoot>
  )
}
