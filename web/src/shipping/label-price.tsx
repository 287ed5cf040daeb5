import { formatDollars } from '@cellarhand/contract/money'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { call } from '#lib/calls/call.ts'
import type { StepDialogProps } from '#orders/public.ts'
import { merchantKey } from '#sign-in/public.ts'
import type { Box } from './boxes-form.ts'
import { problemsOf, wire } from './boxes-form.ts'
import styles from './label-dialog.module.css'

const PAUSE_MS = 500
const quoteLine = 'POST /m/v2/merchant/{tmk}/orders/{id}/shipping_labels/quote'

interface Props extends Pick<StepDialogProps, 'order'> {
  boxes: readonly Box[]
}

/** What PRINT will cost, and which service that buys, before it is pressed. */
export function LabelPrice({ order, boxes }: Props) {
  const [asked, setAsked] = useState(boxes)
  useEffect(() => {
    const timer = setTimeout(() => setAsked(boxes), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [boxes])
  const isComplete = !Object.values(problemsOf(asked)).some(Boolean)
  const body = { boxes: asked.map(wire) }
  const { data, isError, isFetching } = useQuery({
    queryKey: [quoteLine, order.id, order.version, body],
    queryFn: ({ signal }) =>
      call(quoteLine, { params: { tmk: merchantKey(), id: order.id }, body }, { signal }),
    enabled: isComplete,
    placeholderData: keepPreviousData,
    staleTime: 60_000,
    retry: false,
  })
  return (
    <p className={styles.price} role="status">
      {!isComplete
        ? 'The price comes with the weight.'
        : isFetching || asked !== boxes
          ? 'Asking the carrier for the price'
          : isError || data === undefined
            ? 'The price is not known now.'
            : data.refusal
              ? `No price: ${data.refusal.message}`
              : pricesOf(data.boxes)}
    </p>
  )
}

function pricesOf(boxes: readonly { carrier: string; service: string; price_cents: number }[]): string {
  const cents = boxes.reduce((sum, { price_cents }) => sum + price_cents, 0)
  const services = [...new Set(boxes.map(({ carrier, service }) => `${carrier} ${service}`.trim()))]
  const each = boxes.length > 1 ? ` for ${boxes.length} boxes` : ''
  return `${services.join(', ')}: ${formatDollars(cents / 100)}${each}`
}
