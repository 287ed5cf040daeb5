import { createContext, Suspense, use, useEffect } from 'react'
import type { LazyPart } from '#lib/lazy-part.ts'
import { lazyPart } from '#lib/lazy-part.ts'
import { whenIdle } from '#lib/when-idle.ts'
import type { Step, StepDialogProps } from './next-step.ts'
import { useOnIt } from './presence.ts'
import type { Order } from './queries.ts'

type Dialogs = Partial<Record<Step, LazyPart<StepDialogProps>>>

const ownDialogs: Dialogs = {
  accept: lazyPart(async () => (await import('./accept-dialog.tsx')).AcceptDialog),
  reject: lazyPart(async () => (await import('./reject-dialog.tsx')).RejectDialog),
}

/** The dialogs of the slices above this one; the app hands them in. */
export const StepDialogs = createContext<Dialogs>({})

interface Props {
  open: { step: Step; order: Order } | null
  onChange: (open: Props['open']) => void
}

export function StepDialog({ open, onChange }: Props) {
  const given = use(StepDialogs)
  useOnIt(open?.order.id, 'deciding')
  useEffect(
    () =>
      whenIdle(() => {
        for (const dialog of Object.values({ ...ownDialogs, ...given })) dialog.preload()
      }),
    [given],
  )
  const Dialog = open && { ...ownDialogs, ...given }[open.step]
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
