import { Textarea } from '@mantine/core'
import { useState } from 'react'
import { useForm } from '#lib/parts/use-form.ts'
import type { Order } from '#orders/public.ts'
import { asSeen, useOrderCommand } from '#orders/public.ts'
import { merchantKey } from '#sign-in/public.ts'
import { FormButtons, FormDialog } from '#ui/dialogs/form-dialog.tsx'
import styles from './dialogs.module.css'
import { isOwnChange } from './is-own-change.ts'

interface Props {
  title: string
  order: Order
  duty: { rule: string; words: string }
  onClose: () => void
}

/** An owner's no to a clerk's question. The clerk reads the reason at the order. */
export function KeepDialog({ title, order, duty: { rule, words }, onClose }: Props) {
  // What another owner has decided since then may be the answer.
  const [seen, setSeen] = useState(order)
  const form = useForm({ reason: '' }, ({ reason }) => ({
    reason: reason.trim() === '' ? 'Please give the reason' : undefined,
  }))
  const keep = useOrderCommand({
    event: 'Keep Order Held',
    order,
    send: (body: { rule: string; reason: string; version?: number }, ask) =>
      ask('POST /m/v2/merchant/{tmk}/orders/{id}/duties/keep_held', {
        params: { tmk: merchantKey(), id: order.id },
        body,
      }),
    success: 'It stays held. The reason is on record.',
    onDone: onClose,
    onOvertaken: setSeen,
    showRefusal: form.showRefusal,
  })
  const isAnswered = order.duties?.asked?.includes(rule) !== true && !isOwnChange(keep)
  const { kept_held: kept = [], set_aside: passed = [] } = order.duties ?? {}
  const isDecided = [...kept, ...passed].includes(rule)
  return (
    <FormDialog title={title} onClose={onClose}>
      <form
        {...form.element(
          () => keep.mutate({ rule, reason: form.fields.reason.trim(), ...asSeen(seen) }),
          !keep.isPending,
        )}
      >
        <p className={styles.lead}>
          Order <b>#{order.id}</b>: {words}
        </p>
        {isAnswered && (
          <p role="status" className={styles.lead}>
            {isDecided ? 'Another owner has answered' : 'The order has changed since'}, so nobody waits for an
            answer any more.
          </p>
        )}
        <Textarea label="Reason" rows={3} maxLength={500} data-autofocus {...form.text('reason')} />
        <FormButtons onClose={onClose} isBusy={keep.isPending} isDisabled={isAnswered}>
          KEEP IT HELD
        </FormButtons>
      </form>
    </FormDialog>
  )
}
