import { Suspense, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { lazyPart } from '#lib/parts/lazy-part.ts'
import type { OrderPartProps } from '#orders/public.ts'
import { Fact } from '#ui/blocks/block.tsx'
import { Button } from '#ui/blocks/button.tsx'
import { OpeningKeys } from '#ui/dialogs/opening-keys.tsx'
import styles from './delivery-parts.module.css'
import { useLicenceScan } from './licence/use-licence-scan.ts'

const InstructionsForm = lazyPart(() => import('./instructions-form.tsx'), 'InstructionsForm')

/** The customer's instructions for the driver, editable in place while the shop has the order (GAP-17). */
export function InstructionsPart({ order, isReadOnly, onStep }: OrderPartProps) {
  useLicenceScan(order, () => onStep('deliver'))
  const [isOpen, setOpen] = useState(false)
  const edit = useRef<HTMLButtonElement>(null)
  const { delivery_instructions: text } = order.recipient
  if (isReadOnly)
    return <Fact name="Instructions">{text && <span className={styles.instructions}>{text}</span>}</Fact>
  const close = (): void => {
    flushSync(() => setOpen(false))
    edit.current?.focus()
  }
  return (
    <Fact name="Instructions">
      {isOpen ? (
        <Suspense fallback={<OpeningKeys onClose={close} />}>
          <InstructionsForm order={order} onClose={close} />
        </Suspense>
      ) : (
        <div className={styles.instructions}>
          <span className={text ? undefined : styles.quiet}>{text ?? 'none'}</span>
          <Button
            ref={edit}
            look="plain"
            size="small"
            aria-label="Edit instructions"
            onClick={() => setOpen(true)}
          >
            Edit
          </Button>
        </div>
      )}
    </Fact>
  )
}
