import { storeMerchantKey, storeToken } from '#lib/stored-session.ts'

/** Takes a token out of the address before anything else can read it there (GAP-38). */
export function takeHandOver(): void {
  const address = new URL(location.href)
  const token = address.searchParams.get('jwt')
  const merchantKey = address.searchParams.get('tmk')
  if (token === null && merchantKey === null) return
  address.searchParams.delete('jwt')
  address.searchParams.delete('tmk')
  history.replaceState(history.state, '', address)
  if (!token || !merchantKey) return
  storeToken(token)
  storeMerchantKey(merchantKey)
}
