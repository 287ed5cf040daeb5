import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState, type RefObject } from 'react'
import { newId } from '#lib/calls/new-id.ts'
import { reasonOf } from '#lib/calls/reason-of.ts'
import { unansweredKey } from '#lib/calls/send-once.ts'
import { merchantKey } from '#sign-in/public.ts'
import { Button } from '#ui/blocks/button.tsx'
import { Notice } from '#ui/notes/notice.tsx'
import styles from './pick-page.module.css'
import { offSaleWords } from './off-sale-words.ts'
import { keepOrder, takeOffSale } from './queries.ts'
import type { Stop } from './walk.ts'

interface Props {
  stop: Stop
  /** Takes the focus of the button, which is gone after its press. */
  next: RefObject<HTMLButtonElement | null>
}

/** Takes the bottle off sale by hand, where no report of the line does. There is no way back but the stock list. */
export function OffSale({ stop: { order, line }, next }: Props) {
  const queryClient = useQueryClient()
  const [press, setPress] = useState(newId)
  const take = useMutation({
    mutationFn: () => takeOffSale(merchantKey(), { orderId: order.id, lineId: line.id, press }),
    async onSuccess(taken) {
      next.current?.focus()
      setPress(newId())
      await keepOrder(queryClient, merchantKey(), taken)
      void queryClient.invalidateQueries({ queryKey: ['GET /c/v2/merchants/{tmk}/offerings', merchantKey()] })
    },
  })
  const canTake = line.is_active === true
  return (
    <section className={styles.choice} aria-label="Off sale">
      <p role="status">{offSaleWords(line)}</p>
      {take.isError && (
        <div role="alert">
          <Notice icon={IconAlertTriangle} hue="red">
            {unansweredKey(press) === undefined
              ? 'It was not taken off sale.'
              : 'It is not known whether it was taken off sale.'}{' '}
            {reasonOf(take.error) ?? 'Please try again.'}
          </Notice>
        </div>
      )}
      {canTake && (
        <Button look="plain" isBusy={take.isPending} onClick={() => take.mutate()}>
          Take off sale
        </Button>
      )}
    </section>
  )
}
