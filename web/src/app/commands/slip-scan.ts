import { gtinsOfScan } from '@cellarhand/contract/gtin'
import type { useRouter } from '@tanstack/react-router'
import { CallError } from '#lib/calls/call.ts'
import { listenForScans } from '#lib/keys/scanner.ts'
import { orderQuery } from '#orders/public.ts'
import { session } from '#sign-in/public.ts'
import { takeBackFailure, tellFailure } from '#ui/notes/toasts.tsx'

type Router = ReturnType<typeof useRouter>

const action = 'scan slip'
let isListening = false

/**
 * From now on, a scan of a packing slip opens its order from every page of the desk, as for a parcel that came back. In
 * pick mode a scan is a bottle's.
 */
export function listenForSlips(router: Router): void {
  if (isListening) return
  isListening = true
  listenForScans((code) => {
    if (!session.get().loggedIn || router.state.location.pathname.startsWith('/pick/')) return
    void openSlip(router, code)
  })
}

async function openSlip(router: Router, code: string): Promise<void> {
  takeBackFailure(action)
  // The bars of a slip are the order's number. Those of a bottle have eight digits, or eleven and more.
  const isNumber = /^\d{6,10}$/.test(code)
  if (isNumber && !(isSmallBottle(code) && (await isNoOrder(router, code))))
    return router.navigate({ to: '/orders/view/$id', params: { id: code } })
  tellFailure(action, 'This is not the code of a packing slip. Bottles are scanned in pick mode (w).')
}

/** Eight digits with a right check digit: an EAN-8 or a UPC-E, or by chance the number of an order. */
function isSmallBottle(code: string): boolean {
  return code.length === 8 && gtinsOfScan(code).length > 0
}

/** Without an answer, the order's page says so. */
async function isNoOrder({ options }: Router, id: string): Promise<boolean> {
  try {
    await options.context.queryClient.fetchQuery(orderQuery(id))
    return false
  } catch (error) {
    return error instanceof CallError && error.status === 404
  }
}
