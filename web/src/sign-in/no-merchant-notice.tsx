import { messages } from '@cellarhand/contract/messages'
import { config } from '#lib/calls/config.ts'
import { Button } from '#ui/blocks/button.tsx'
import { FullPage } from '#ui/blocks/full-page.tsx'

export function NoMerchantNotice({ onSignOut }: { onSignOut: () => void }) {
  return (
    <FullPage title={messages.noMerchant(config.productName)}>
      <Button onClick={onSignOut}>Sign Out</Button>
    </FullPage>
  )
}
