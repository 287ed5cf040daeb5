import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { RefObject } from 'react'
import { reasonOf } from '#lib/calls/reason-of.ts'
import { merchantKey } from '#sign-in/public.ts'
import { Button } from '#ui/blocks/button.tsx'
import styles from './pick-page.module.css'
import { offSaleWords } from './off-sale-words.ts'
import { takeOffSale } from './queries.ts'
import type { Stop } from './walk.ts'

interface Props {
  stop: Stop
  /** Takes the focus of the button, which is gone after its press. */
  next: RefObject<HTMLButtonElement | null>
}

/** Takes the bottle off sale by hand, where no report of the line does. There is no way back but the stock list. */
export function OffSale({ stop: { order, line: seen }, next }: Props) {
  const queryClient = useQueryClient()
  const take = useMutation({
    mutationFn: () => takeOffSale(merchantKey(), { orderId: order.id, lineId: seen.id }),
    onSuccess() {
      next.current?.focus()
      void queryClient.invalidateQueries({ queryKey: ['GET /c/v2/merchants/{tmk}/offerings', merchantKey()] })
    },
  })
  const line = take.data?.lines.find(({ id }) => id === seen.id) ?? seen
  const canTake = line.is_active === true
  return (
    <section className={styles.choice} aria-label="Off sale">
      <p role="status">{offSaleWords(line)}</p>
      {take.isError && (
        <p role="alert" className={styles.problem}>
          It was not taken off sale. {reasonOf(take.error) ?? 'Please try again.'}
        </p>
      )}
      {canTake && (
        <Button look="plain" isBusy={take.isPending} onClick={() => take.mutate()}>
          Take off sale
        </Button>
      )}
    </section>
  )
}
