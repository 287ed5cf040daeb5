import { hasLiveCourier } from '@cellarhand/contract/order-guards'
import { useEffect, useEffectEvent } from 'react'
import { isPageInFront } from '#lib/keys/keyboard.ts'
import type { Order } from '#orders/public.ts'
import { allowedActions } from '#orders/public.ts'
import { forgetScan, keepScan, listenForLicence } from './listen-for-licence.ts'

/** On the page of an order that is out with the shop's own driver, a scan of the recipient's ID goes to its hand-over. */
export function useLicenceScan(order: Order, open: () => void): void {
  const isOut = allowedActions(order).has('deliver') && !hasLiveCourier(order)
  const take = useEffectEvent((text: string) => {
    keepScan(order, text)
    open()
  })
  useEffect(() => {
    if (!isOut) return undefined
    return listenForLicence({ isHere: () => isPageInFront(false), onText: take })
  }, [isOut])
  useEffect(() => forgetScan, [order.id])
}
