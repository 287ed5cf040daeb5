import { useEffect, useState } from 'react'
import { callForFile } from '#lib/calls/call.ts'
import { reasonOf } from '#lib/calls/reason-of.ts'
import { merchantKey } from '#sign-in/public.ts'
import { Button } from '#ui/blocks/button.tsx'
import { useTold } from '#ui/notes/told.ts'
import styles from './signature.module.css'

/** The signature that a courier took, fetched only for somebody who asks to see it. */
export function Signature({ orderId }: { orderId: string }) {
  const [address, setAddress] = useState<string>()
  useEffect(() => () => URL.revokeObjectURL(address ?? ''), [address])
  const show = useTold({
    action: `signature of ${orderId}`,
    attempt: () =>
      callForFile('GET /m/v2/merchant/{tmk}/orders/{id}/courier_signature', {
        params: { tmk: merchantKey(), id: orderId },
      }),
    onSuccess: (picture) => setAddress(URL.createObjectURL(picture)),
    failure: (error) => ['The signature could not be fetched.', reasonOf(error)],
  })
  if (address) return <img className={styles.picture} src={address} alt="Signature of the recipient" />
  return (
    <Button look="plain" size="small" isBusy={show.isPending} onClick={() => show.mutate()}>
      Show signature
    </Button>
  )
}
