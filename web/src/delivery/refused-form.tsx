import type { AgeCheckMethod, RefusedHandOverReason } from '@cellarhand/contract/door-checks'
import { refusedHandOverLabels, refusedHandOverReasons } from '@cellarhand/contract/door-checks'
import { messages } from '@cellarhand/contract/messages'
import { TextInput } from '@mantine/core'
import type { FormEvent } from 'react'
import { useState } from 'react'
import type { StepDialogProps } from '#orders/public.ts'
import { useOrderCommand } from '#orders/public.ts'
import { merchantKey } from '#sign-in/public.ts'
import { Button } from '#ui/blocks/button.tsx'
import { DialogButtons } from '#ui/dialogs/dialog.tsx'
import { AgeCheckField } from './age-check-field.tsx'
import styles from './deliver-dialog.module.css'

interface Refused {
  reason: RefusedHandOverReason
  method: AgeCheckMethod | null
  note: string
}

interface Props extends Pick<StepDialogProps, 'order'> {
  onClose: () => void
  onBack: () => void
}

/** The bottles come back: one press gives the reason. */
export function RefusedForm({ order, onClose, onBack }: Props) {
  const [reason, setReason] = useState<RefusedHandOverReason | null>(null)
  const [method, setMethod] = useState<AgeCheckMethod | null>(null)
  const [note, setNote] = useState('')
  const [isMissing, setMissing] = useState(false)
  const bring = useOrderCommand({
    event: 'Refused Delivery',
    order,
    send: (body: Refused, ask) =>
      ask('POST /m/v2/merchant/{tmk}/orders/{id}/refused_delivery', {
        params: { tmk: merchantKey(), id: order.id },
        body,
      }),
    success: messages.deliveryUpdated,
    onDone: onClose,
  })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (bring.isPending) return
    if (reason === null) return setMissing(true)
    bring.mutate({ reason, method: reason === 'nobody_there' ? null : method, note: note.trim() })
  }
  return (
    <form onSubmit={submit} noValidate className={styles.form}>
      <div role="group" aria-label="Why was it not handed over?">
        <p className={styles.groupTitle}>Why was it not handed over?</p>
        <div className={styles.choices} data-wide>
          {refusedHandOverReasons.map((each, index) => (
            <button
              key={each}
              type="button"
              aria-pressed={reason === each}
              data-autofocus={index === 0 || undefined}
              onClick={() => {
                setReason(each)
                setMissing(false)
              }}
            >
              {refusedHandOverLabels[each]}
            </button>
          ))}
        </div>
      </div>
      {reason !== null && reason !== 'nobody_there' && (
        <AgeCheckField title="ID that was shown (optional)" value={method} onChange={setMethod} />
      )}
      <TextInput
        label="Note (optional)"
        description="Everybody who works on the order can read it."
        maxLength={300}
        value={note}
        onChange={(event) => setNote(event.currentTarget.value)}
      />
      {isMissing && (
        <p role="alert" className={styles.problem}>
          {messages.rejectReasonRequired}
        </p>
      )}
      <DialogButtons>
        <Button look="plain" onClick={onBack} disabled={bring.isPending}>
          BACK
        </Button>
        <Button type="submit" isBusy={bring.isPending}>
          BRING BACK TO THE STORE
        </Button>
      </DialogButtons>
    </form>
  )
}
