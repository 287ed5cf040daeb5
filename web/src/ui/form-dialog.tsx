import type { ComponentProps } from 'react'
import { Dialog } from './dialog.tsx'
import { MantineRoot } from './mantine-root.tsx'

/** A dialog in which Mantine's fields can be used. */
export function FormDialog(props: ComponentProps<typeof Dialog>) {
  return (
    <MantineRoot>
      <Dialog {...props} />
    </MantineRoot>
  )
}
