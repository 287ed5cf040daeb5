import type { useRouter } from '@tanstack/react-router'
import { listenForScans } from '#lib/keys/scanner.ts'
import { session } from '#sign-in/public.ts'
import { toast } from '#ui/notes/toasts.tsx'

let isListening = false

/**
 * From now on, a scan of a packing slip opens its order from every page of the desk, as for a parcel that came back. In
 * pick mode a scan is a bottle's.
 */
export function listenForSlips(router: ReturnType<typeof useRouter>): void {
  if (isListening) return
  isListening = true
  listenForScans((code) => {
    if (!session.get().loggedIn || router.state.location.pathname.startsWith('/pick/')) return
    // The bars of a slip are the order's number. Those of a bottle have eleven digits and more.
    if (/^\d{6,10}$/.test(code)) void router.navigate({ to: '/orders/view/$id', params: { id: code } })
    else toast('error', 'This is not the code of a packing slip. Bottles are scanned in pick mode (w).')
  })
}
