import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs'
import IconCircleCheck from '@tabler/icons-react/dist/esm/icons/IconCircleCheck.mjs'
import { useQuery } from '@tanstack/react-query'
import { formatDate, formatTime } from '#lib/dates.ts'
import { useTimezone } from '#merchants/public.ts'
import { merchantKey } from '#sign-in/public.ts'
import { Block } from '#ui/block.tsx'
import { Notice } from '#ui/notice.tsx'
import { shippingHealthQuery } from './queries.ts'
import styles from './carrier-page.module.css'

/** For owners: whether the provider behind the labels answers, when it last failed, and why. */
export function ProviderHealth() {
  const timezone = useTimezone()
  const { data } = useQuery(shippingHealthQuery(merchantKey()))
  if (data === undefined) return null
  const at = (moment: string | null) =>
    moment === null ? 'not yet' : `${formatDate(moment, timezone)} ${formatTime(moment, timezone)}`
  const isFailing = data.failures_in_a_row > 0
  return (
    <Block title="Shipping provider">
      <div className={styles.health}>
        {data.provider === null ? (
          <Notice icon={IconAlertTriangle} hue="amber">
            No shipping provider is set up on this server, so no labels can be bought.
          </Notice>
        ) : (
          <Notice icon={isFailing ? IconAlertTriangle : IconCircleCheck} hue={isFailing ? 'amber' : 'plain'}>
            {data.provider}{' '}
            {isFailing
              ? `is failing: ${data.last_failure_reason ?? 'unknown'}, ${data.failures_in_a_row} times in a row.`
              : 'answers.'}{' '}
            Last answer: {at(data.last_success_at)}. Last failure: {at(data.last_failure_at)}
            {data.last_failure_at !== null && !isFailing && ` (${data.last_failure_reason ?? ''})`}.
          </Notice>
        )}
      </div>
    </Block>
  )
}
