import { keepFocusNear } from '#lib/keys/keep-focus-near.ts'
import { Button } from '#ui/blocks/button.tsx'
import { merchantKey } from '#sign-in/public.ts'
import type { Order } from '../state/queries.ts'
import { useOrderCommand } from './use-order-command.ts'

interface Props {
  order: Order
  offerId: string
  /** The element with the line's name. */
  nameId: string
}

/** Takes the question to the customer back. */
export function WithdrawButton({ order, offerId, nameId }: Props) {
  const withdraw = useOrderCommand({
    event: 'Withdraw Substitutes',
    order,
    send: (_: undefined, ask) =>
      ask('DELETE /m/v2/merchant/{tmk}/orders/{id}/substitutes/{offer}', {
        params: { tmk: merchantKey(), id: order.id, offer: offerId },
      }),
    success: 'Withdrew the offer',
    failure: 'The offer was not withdrawn',
    onDone: () => 'stay',
  })
  return (
    <Button
      ref={keepFocusNear}
      look="plain"
      size="small"
      aria-describedby={nameId}
      isBusy={withdraw.isPending}
      onClick={() => withdraw.mutate(undefined)}
    >
      Withdraw offer
    </Button>
  )
}
