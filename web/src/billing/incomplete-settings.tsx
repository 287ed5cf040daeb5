import { messages } from '@cellarhand/contract/messages'
import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { merchantQuery } from '#merchants/public.ts'
import { merchantKey } from '#sign-in/public.ts'
import { Banner } from '#ui/notes/banner.tsx'
import { paymentAccountQuery } from './queries.ts'

/** Either sign is enough (GAP-152). */
export function IncompleteSettings() {
  const { data: merchant } = useQuery(merchantQuery(merchantKey()))
  const { data: account } = useQuery(paymentAccountQuery(merchantKey()))
  if (merchant?.paymentSetUp !== false && account !== 'missing') return null
  return (
    <Banner label={messages.settingsIncomplete} icon={IconAlertTriangle} hue="amber">
      <b>{messages.settingsIncomplete}</b>: please <Link to="/settings/billing">set up payments</Link> in
      order to receive orders.
    </Banner>
  )
}
