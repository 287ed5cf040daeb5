import type { ComponentType } from 'react'
import { createContext, lazy, Suspense, use } from 'react'
import type { Step, StepDialogProps } from './next-step.ts'
import type { Order } from './queries.ts'

const AcceptDialog = lazy(() =>
  import('./accept-dialog.tsx').then((module) => ({ default: module.AcceptDialog })),
)
const RejectDialog = lazy(() =>
  import('./reject-dialog.tsx').then((module) => ({ default: module.RejectDialog })),
)

/** The dialogs of the slices above this one; the app hands them in. */
export const StepDialogs = createContext<Partial<Record<Step, ComponentType<StepDialogProps>>>>({})

interface Props {
  open: { step: Step; order: Order } | null
  onChange: (open: Props['open']) => void
}

export function StepDialog({ open, onChange }: Props) {
  const given = use(StepDialogs)
  if (!open) return null
  const dialogs = { accept: AcceptDialog, reject: RejectDialog, ...given }
  const Dialog = dialogs[open.step]
  if (!Dialog) return null
  return (
    <Suspense>
      <Dialog
        key={`${open.step} ${open.order.id}`}
        order={open.order}
        onClose={() => onChange(null)}
        onStep={(step) => onChange({ ...open, step })}
      />
    </Suspense>
  )
}
