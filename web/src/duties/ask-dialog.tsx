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

/** For a clerk who may not let an order pass. Nothing has to be typed: the owners see the order and the rule. */
export function AskDialog({ title, order, duty: { rule, words }, onClose }: Props) {
  const [seen, setSeen] = useState(order)
  const form = useForm({ question: '' }, () => ({}))
  const ask = useOrderCommand({
    event: 'Ask Owner',
    order,
    send: (body: { rule: string; question?: string; version?: number }, send) =>
      send('POST /m/v2/merchant/{tmk}/orders/{id}/duties/ask', {
        params: { tmk: merchantKey(), id: order.id },
        body,
      }),
    success: 'The owners are asked. Their answer will be here.',
    onDone: onClose,
    onOvertaken: setSeen,
    showRefusal: form.showRefusal,
  })
  const question = form.fields.question.trim()
  const isAsked = order.duties?.asked?.includes(rule) === true && !isOwnChange(ask)
  return (
    <FormDialog title={title} onClose={onClose}>
      <form
        {...form.element(
          () => ask.mutate({ rule, ...(question !== '' && { question }), ...asSeen(seen) }),
          !ask.isPending,
        )}
      >
        <p className={styles.lead}>
          Order <b>#{order.id}</b>: {words}
        </p>
        <p className={styles.lead}>
          Each owner gets a mail and sees the question here. The order stays held until one of them lets it
          pass.
        </p>
        {isAsked && (
          <p role="status" className={styles.lead}>
            A colleague has asked already, so the owners would not get your words. You can write them as a
            note on the order.
          </p>
        )}
        <Textarea
          label="What the owner should know (optional)"
          rows={3}
          maxLength={500}
          data-autofocus
          {...form.text('question')}
        />
        <FormButtons onClose={onClose} isBusy={ask.isPending} isDisabled={isAsked}>
          ASK AN OWNER
        </FormButtons>
      </form>
    </FormDialog>
  )
}
