import type { ComponentType } from 'react'
import { createContext, lazy, Suspense, use, useEffect } from 'react'
import { whenIdle } from '#lib/when-idle.ts'
import type { Step, StepDialogProps } from './next-step.ts'
import type { Order } from './queries.ts'

const loadAccept = () => import('./accept-dialog.tsx')
const loadReject = () => import('./reject-dialog.tsx')
const AcceptDialog = lazy(() => loadAccept().then((module) => ({ default: module.AcceptDialog })))
const RejectDialog = lazy(() => loadReject().then((module) => ({ default: module.RejectDialog })))

/** What a press is likely to open next, fetched when there is nothing else to do. */
function preload(): void {
  void loadAccept()
  void loadReject()
}

/** The dialogs of the slices above this one; the app hands them in. */
export const StepDialogs = createContext<Partial<Record<Step, ComponentType<StepDialogProps>>>>({})

interface Props {
  open: { step: Step; order: Order } | null
  onChange: (open: Props['open']) => void
}

export function StepDialog({ open, onChange }: Props) {
  const given = use(StepDialogs)
  useEffect(() => whenIdle(preload), [])
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
