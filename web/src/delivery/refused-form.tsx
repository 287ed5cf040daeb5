import { readingWords } from '@cellarhand/contract/age-check'
import type { AgeCheckMethod, RefusedHandOverReason } from '@cellarhand/contract/door-checks'
import { refusedHandOverLabels, refusedHandOverReasons } from '@cellarhand/contract/door-checks'
import { messages } from '@cellarhand/contract/messages'
import type { IdReading } from '@cellarhand/contract/age-check-fields'
import { TextInput } from '@mantine/core'
import type { FormEvent } from 'react'
import { useEffect, useState } from 'react'
import type { Order, StepDialogProps } from '#orders/public.ts'
import { asSeen, useOrderCommand } from '#orders/public.ts'
import { merchantKey } from '#sign-in/public.ts'
import { Button } from '#ui/blocks/button.tsx'
import { DialogButtons } from '#ui/dialogs/dialog.tsx'
import { AgeCheckField } from './age-check-field.tsx'
import styles from './deliver-dialog.module.css'
import type { IdCheck } from './id-check-field.tsx'
import { noIdCheck } from './id-check-field.tsx'
import { listenForLicence } from './licence/listen-for-licence.ts'

interface Refused {
  reason: RefusedHandOverReason
  method: AgeCheckMethod | null
  reading: IdReading | null
  note: string
}

interface Props extends Pick<StepDialogProps, 'order'> {
  /** What the ID said, if it was read before. */
  found: IdCheck
  /** The order on which the clerk decides: another one's decision since then is told before the press counts. */
  seen: Order
  onSeen: (order: Order) => void
  onClose: () => void
  onBack: () => void
}

/** The bottles come back: one press gives the reason. */
export function RefusedForm({ order, seen, onSeen, found, onClose, onBack }: Props) {
  const [reason, setReason] = useState(reasonIn(found))
  const [method, setMethod] = useState(found.method)
  const [note, setNote] = useState('')
  const [isMissing, setMissing] = useState(false)
  const [isScanned, setScanned] = useState(false)
  // Of an ID that is scanned here, nothing gets into the note, and its Enter brings nothing back.
  useEffect(() => listenForLicence({ isHere: () => true, onText: () => setScanned(true) }), [])
  const bring = useOrderCommand({
    event: 'Refused Delivery',
    order,
    send: (body: Refused, ask) =>
      ask('POST /m/v2/merchant/{tmk}/orders/{id}/refused_delivery', {
        params: { tmk: merchantKey(), id: order.id },
        body: { ...body, ...asSeen(seen) },
      }),
    success: messages.deliveryUpdated,
    onDone: onClose,
    onOvertaken: onSeen,
  })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (bring.isPending) return
    if (reason === null) return setMissing(true)
    const shown = reason === 'nobody_there' ? noIdCheck : { method, reading: found.reading }
    bring.mutate({ reason, ...shown, note: note.trim() })
  }
  return (
    <form onSubmit={submit} noValidate className={styles.form}>
      <div role="group" aria-label="Why was it not handed over?">
        {found.reading && <p className={styles.readingWords}>{readingWords(found.reading)}</p>}
        <p className={styles.groupTitle}>Why was it not handed over?</p>
        <div className={styles.choices} data-wide>
          {refusedHandOverReasons.map((each) => (
            <button
              key={each}
              type="button"
              aria-pressed={reason === each}
              data-autofocus={(reason ?? refusedHandOverReasons[0]) === each || undefined}
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
      {isScanned && (
        <p role="alert" className={styles.problem}>
          An ID was scanned, and nothing of it was read here. To check it, press BACK and scan it again.
        </p>
      )}
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

/** The reason that the ID itself gives. */
function reasonIn({ reading }: IdCheck): RefusedHandOverReason | null {
  if (!reading) return null
  if (!reading.is_over_21) return 'under_21'
  return reading.is_expired ? 'no_valid_id' : null
}
