import { messages } from '@cellarhand/contract/messages'
import { Textarea } from '@mantine/core'
import type { FormEvent } from 'react'
import { useState } from 'react'
import { useFollowed } from '#lib/parts/use-followed.ts'
import type { OrderPartProps } from '#orders/public.ts'
import { asSeen, useOrderCommand } from '#orders/public.ts'
import { merchantKey } from '#sign-in/public.ts'
import { Button } from '#ui/blocks/button.tsx'
import { MantineRoot } from '#ui/theme/mantine-root.tsx'
import styles from './delivery-parts.module.css'

const longest = 500

export function InstructionsForm({
  order,
  onClose,
}: Pick<OrderPartProps, 'order'> & { onClose: () => void }) {
  const stored = order.recipient.delivery_instructions ?? ''
  const { fields, setFields } = useFollowed({ text: stored })
  const { text } = fields
  const [opened] = useState(stored)
  // The order as it was when the person began to type: a colleague may have written something since then, too.
  const [seen, setSeen] = useState(order)
  if (text === stored && seen !== order) setSeen(order)
  const save = useOrderCommand({
    event: 'Save Delivery Instructions',
    order,
    send: (delivery_instructions: string, ask) =>
      ask('POST /m/v2/merchant/{tmk}/orders/{id}/delivery_instructions', {
        params: { tmk: merchantKey(), id: order.id },
        body: { delivery_instructions, ...asSeen(seen) },
      }),
    success: messages.deliverySaved,
    failure: messages.orderUpdateFailed,
    onDone: () => {
      onClose()
      return 'stay'
    },
    onOvertaken: setSeen,
  })
  const isOther = ![opened, text, save.variables?.trim()].includes(stored)
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (!save.isPending && text !== stored) save.mutate(text)
  }
  return (
    <MantineRoot>
      <form
        onSubmit={submit}
        className={styles.edit}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return
          // Keeps a dialog around this form open.
          event.preventDefault()
          if (!save.isPending) onClose()
        }}
      >
        <Textarea
          aria-label="Delivery instructions"
          description={`${text.length} of ${longest}`}
          autoFocus
          rows={3}
          maxLength={longest}
          value={text}
          onChange={({ currentTarget: { value } }) => setFields(() => ({ text: value }))}
        />
        {isOther && <p role="status">A colleague has changed them to: {stored || 'nothing'}</p>}
        <div className={styles.buttons}>
          <Button type="submit" size="small" disabled={text === stored} isBusy={save.isPending}>
            SAVE
          </Button>
          <Button look="plain" size="small" onClick={onClose} disabled={save.isPending}>
            CLOSE
          </Button>
        </div>
      </form>
    </MantineRoot>
  )
}
