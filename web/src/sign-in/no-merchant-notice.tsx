import { firstMessages as messages } from '@cellarhand/contract/first-messages'
import { config } from '#lib/config.ts'
import { Button } from '#ui/button.tsx'
import { FullPage } from '#ui/full-page.tsx'

export function NoMerchantNotice({ onSignOut }: { onSignOut: () => void }) {
  return (
    <FullPage title={messages.noMerchant(config.productName)}>
      <Button onClick={onSignOut}>Sign Out</Button>
    </FullPage>
  )
}
