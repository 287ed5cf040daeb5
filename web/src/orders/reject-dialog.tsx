import type { RejectReasonCode } from '@cellarhand/contract/labels'
import { rejectReasonCodes, rejectReasonLabels } from '@cellarhand/contract/labels'
import { messages } from '@cellarhand/contract/messages'
import { reportedItems } from '@cellarhand/contract/order-lifecycle'
import { maxCommentLength } from '@cellarhand/contract/validation'
import { Radio, Textarea } from '@mantine/core'
import type { FormEvent } from 'react'
import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { call } from '#lib/call.ts'
import { merchantKey } from '#sign-in/public.ts'
import { Button } from '#ui/button.tsx'
import { Dialog, DialogButtons } from '#ui/dialog.tsx'
import styles from './dialogs.module.css'
import type { StepDialogProps } from './next-step.ts'
import { useOrderCommand } from './use-order-command.ts'
import { WhoIsOnIt } from './who-is-on-it.tsx'

interface Rejection {
  status: 'MERCHANT_REJECTED' | 'REJECTED_PARTIAL'
  reason: { code: RejectReasonCode; value: string }
}

export function RejectDialog({ order, onClose }: StepDialogProps) {
  const [code, setCode] = useState<RejectReasonCode>('customer_cancelled')
  const [text, setText] = useState('')
  const [problem, setProblem] = useState<string>()
  const field = useRef<HTMLTextAreaElement>(null)
  const isPartial = reportedItems(order) === 'some'
  const reject = useOrderCommand({
    order,
    send: (body: Rejection, idempotencyKey) =>
      call(
        'POST /m/v2/merchant/{tmk}/orders/{id}/reject',
        { params: { tmk: merchantKey(), id: order.id }, body },
        { idempotencyKey },
      ),
    success: messages.rejectSucceeded,
    failure: messages.rejectFailed,
    onDone: onClose,
  })

  const pick = (picked: string): void => {
    setCode(picked as RejectReasonCode)
    setProblem(undefined)
  }
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (reject.isPending) return
    if (code === 'other' && text.trim() === '') {
      flushSync(() => setProblem(messages.rejectReasonRequired))
      field.current?.focus()
      return
    }
    const value = code === 'other' ? text.trim() : rejectReasonLabels[code]
    reject.mutate({ status: isPartial ? 'REJECTED_PARTIAL' : 'MERCHANT_REJECTED', reason: { code, value } })
  }

  return (
    <Dialog title="Reject Order" onClose={onClose}>
      <form onSubmit={submit} noValidate>
        <Radio.Group label={`Why is #${order.id} rejected?`} value={code} onChange={pick}>
          <div className={styles.reasons}>
            {rejectReasonCodes.map((each) => (
              <Radio
                key={each}
                value={each}
                label={rejectReasonLabels[each]}
                data-autofocus={each === code || undefined}
              />
            ))}
          </div>
        </Radio.Group>
        {code === 'other' && (
          <Textarea
            ref={field}
            label="Reason"
            rows={3}
            maxLength={maxCommentLength}
            value={text}
            onChange={(event) => {
              setText(event.currentTarget.value)
              setProblem(undefined)
            }}
            error={problem}
          />
        )}
        <WhoIsOnIt orderId={order.id} />
        <DialogButtons>
          <Button look="plain" onClick={onClose} disabled={reject.isPending}>
            CLOSE
          </Button>
          <Button type="submit" isBusy={reject.isPending}>
            {isPartial ? 'PARTIAL_REJECT' : 'REJECT'}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  )
}
