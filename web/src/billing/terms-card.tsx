import { messages } from '@cellarhand/contract/messages'
import IconCircleCheck from '@tabler/icons-react/dist/esm/icons/IconCircleCheck.mjs'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { track } from '#lib/reports/analytics.ts'
import { call } from '#lib/calls/call.ts'
import { merchantKey } from '#sign-in/public.ts'
import { Block } from '#ui/blocks/block.tsx'
import { Button } from '#ui/blocks/button.tsx'
import formStyles from '#ui/forms/form.module.css'
import styles from './billing-page.module.css'
import type { Billing } from './queries.ts'
import { billingQuery } from './queries.ts'

export function TermsCard({ billing }: { billing: Billing }) {
  const queryClient = useQueryClient()
  const accept = useMutation({
    mutationFn: () =>
      call('POST /c/v2/merchants/{tmk}/payments', {
        params: { tmk: merchantKey() },
        body: { tos_accepted: true },
      }),
    onSuccess: (next) => {
      track('Accept Terms of Service')
      queryClient.setQueryData(billingQuery(merchantKey()).queryKey, next)
    },
  })
  return (
    <Block title="Terms of Service">
      <div className={styles.card}>
        <p>
          Getting paid through this dashboard is subject to the{' '}
          <Link to="/terms" className={styles.link}>
            merchant terms and conditions
          </Link>
          .
        </p>
        {billing.tos_accepted ? (
          <p className={styles.done}>
            <IconCircleCheck size={18} aria-hidden />
            The terms of service are accepted.
          </p>
        ) : (
          <Button isBusy={accept.isPending} onClick={() => accept.mutate()}>
            Accept the terms of service
          </Button>
        )}
        {accept.isError && (
          <p role="alert" className={formStyles.problem}>
            {messages.billingFailed}
          </p>
        )}
      </div>
    </Block>
  )
}
