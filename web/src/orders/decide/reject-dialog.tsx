import type { RejectReasonCode } from '@cellarhand/contract/decisions'
import { rejectReasonCodes, rejectReasonLabels } from '@cellarhand/contract/decisions'
import { notHandedOver, owesRestocking, restockingFee } from '@cellarhand/contract/door-checks'
import { heldReasonOf } from '@cellarhand/contract/duty-note'
import { messages } from '@cellarhand/contract/messages'
import { formatDollars } from '@cellarhand/contract/money'
import { maxCommentLength, rejectReasonProblem } from '@cellarhand/contract/validation'
import { Radio, Textarea } from '@mantine/core'
import type { FormEvent, MouseEvent, SyntheticEvent } from 'react'
import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { CallError } from '#lib/calls/call.ts'
import { merchantKey } from '#sign-in/public.ts'
import { Button } from '#ui/blocks/button.tsx'
import { DialogButtons } from '#ui/dialogs/dialog.tsx'
import { FormDialog } from '#ui/dialogs/form-dialog.tsx'
import styles from './dialogs.module.css'
import { NewestNotes } from '../noted/newest-notes.tsx'
import { MovedOnNotice } from './moved-on-notice.tsx'
import { allowedActions } from '../state/allowed-actions.ts'
import type { StepDialogProps } from '../order/next-step.ts'
import type { Order } from '../state/queries.ts'
import { asSeen } from '../state/seen-version.ts'
import { newerOf, useOrderCommand } from './use-order-command.ts'
import { WhoIsOnIt } from '../live/who-is-on-it.tsx'

interface Rejection {
  status: 'MERCHANT_REJECTED' | 'REJECTED_PARTIAL'
  version?: number
  reason: { code: RejectReasonCode; value: string }
}

export function RejectDialog({ order: given, onClose }: StepDialogProps) {
  const refusal = refusalOf(given)
  // A rule that holds the order is the reason at hand, too.
  const known = refusal || heldReasonOf(given)
  const [overtakenBy, setOvertakenBy] = useState(given)
  const order = newerOf(given, overtakenBy)
  const [code, setCode] = useState<RejectReasonCode>(known === '' ? 'customer_cancelled' : 'other')
  const [text, setText] = useState(known)
  const [problem, setProblem] = useState<string>()
  const [isChosen, setChosen] = useState(false)
  const [isAsked, setAsked] = useState(false)
  const field = useRef<HTMLTextAreaElement>(null)
  const reasons = useRef<HTMLDivElement>(null)
  const actions = allowedActions(order)
  const isPartial = actions.has('reject_partly')
  const reject = useReject({ order, onDone: onClose, onOvertaken: setOvertakenBy })
  const refused = reject.error instanceof CallError ? reject.error.fieldErrors['reason.value'] : undefined

  const change = (act: () => void): void => {
    act()
    setProblem(undefined)
    reject.reset()
  }
  const send = (status: Rejection['status']): void => {
    if (reject.isPending) return
    const found = rejectReasonProblem(code, text)
    if (found !== undefined) {
      flushSync(() => setProblem(found))
      field.current?.focus()
      return
    }
    const value = code === 'other' ? text.trim() : rejectReasonLabels[code]
    reject.mutate({ status, ...asSeen(order), reason: { code, value } })
  }
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    send(isPartial ? 'REJECTED_PARTIAL' : 'MERCHANT_REJECTED')
  }
  const choose = ({ target }: SyntheticEvent): void => {
    if (target instanceof HTMLInputElement) setChosen(true)
  }
  // A reject is final, so no key may take the unseen default reason. A mouse click (detail above 0) aims at the button.
  const onPress = (event: MouseEvent): void => {
    if (isChosen || event.detail > 0) return
    event.preventDefault()
    setAsked(true)
    reasons.current?.querySelector<HTMLElement>(':checked')?.focus()
  }
  const word = isPartial ? 'PARTIAL_REJECT' : 'REJECT'

  return (
    <FormDialog title="Reject Order" onClose={onClose}>
      <form onSubmit={submit} noValidate>
        <MovedOnNotice
          order={order}
          action={['reject', 'reject_partly']}
          still={`Press ${word} again if it should be rejected all the same.`}
        />
        <NewestNotes ids={[order.id]} only={order.id} />
        {refusal !== '' && <FeeNote refusal={refusal} />}
        <Radio.Group
          label={`Why is #${order.id} rejected?`}
          value={code}
          onChange={(picked) => change(() => setCode(picked as RejectReasonCode))}
        >
          <div
            ref={reasons}
            className={styles.reasons}
            // On an arrow key, the browser clicks the new reason, but not one that is already checked.
            onClick={choose}
            onKeyDown={(event) => event.key === ' ' && choose(event)}
          >
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
        {isAsked && !isChosen && (
          <p role="alert" className={styles.problem}>
            Choose the reason first: an arrow key changes it, Space keeps it.
          </p>
        )}
        {code === 'other' && (
          <Textarea
            ref={field}
            label="Reason"
            rows={3}
            maxLength={maxCommentLength}
            value={text}
            onChange={(event) => {
              const typed = event.currentTarget.value
              change(() => setText(typed))
            }}
            error={problem ?? refused}
          />
        )}
        <WhoIsOnIt order={order} />
        <DialogButtons>
          <Button look="plain" onClick={onClose} disabled={reject.isPending}>
            CLOSE
          </Button>
          {isPartial && actions.has('reject') && (
            <WholeButton
              isBusy={reject.isPending}
              onPress={onPress}
              onReject={() => send('MERCHANT_REJECTED')}
            />
          )}
          <Button type="submit" isBusy={reject.isPending} onClick={onPress}>
            {word}
          </Button>
        </DialogButtons>
      </form>
    </FormDialog>
  )
}

/** Why the order came back from the door, if the customer owes a fee for it. */
function refusalOf(order: Order): string {
  return owesRestocking(order) && order.age_check?.reason ? notHandedOver(order.age_check.reason) : ''
}

function FeeNote({ refusal }: { refusal: string }) {
  return (
    <p className={styles.lead}>
      {refusal}. The marketplace is told the restocking fee of {formatDollars(restockingFee)} that the terms
      set.
    </p>
  )
}

interface WholeProps {
  isBusy: boolean
  /** Prevents what a press may not do yet. */
  onPress: (event: MouseEvent) => void
  onReject: () => void
}

/** An order that is held in part can still be rejected in full (GAP-102). */
function WholeButton({ isBusy, onPress, onReject }: WholeProps) {
  return (
    <Button
      look="plain"
      disabled={isBusy}
      onClick={(event) => {
        onPress(event)
        if (!event.isDefaultPrevented()) onReject()
      }}
    >
      REJECT
    </Button>
  )
}

interface Rejecting {
  order: Order
  onDone: () => void
  onOvertaken: (current: Order) => void
}

function useReject({ order, onDone, onOvertaken }: Rejecting) {
  return useOrderCommand({
    event: 'Reject Order',
    order,
    decision: 'reject',
    send: (body: Rejection, ask) =>
      ask('POST /m/v2/merchant/{tmk}/orders/{id}/reject', {
        params: { tmk: merchantKey(), id: order.id },
        body,
      }),
    success: messages.rejectSucceeded,
    failure: messages.rejectFailed,
    onDone,
    onOvertaken,
    showRefusal: (error) => 'reason.value' in error.fieldErrors,
  })
}
