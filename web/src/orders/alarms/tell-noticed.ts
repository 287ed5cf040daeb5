import { call, CallError } from '#lib/calls/call.ts'
import { merchantKey } from '#sign-in/public.ts'
import { tellFailure } from '#ui/notes/toasts.tsx'
import { told } from '#ui/notes/told.ts'
import { noticed } from '../state/alarms.ts'
import { isForMe, keyOf } from './unnoticed-alarms.ts'

const RETRY_MS = 5_000
let retry: ReturnType<typeof setTimeout> | undefined

/** Repeats until the server knows, so that after a broken connection nobody has to notice twice. */
async function tell(): Promise<void> {
  clearTimeout(retry)
  // A person that opens an order twice notices its alarms twice.
  const items = [
    ...new Map(
      noticed
        .get()
        .filter(isForMe)
        .map((alarm) => [keyOf(alarm), alarm]),
    ).values(),
  ]
  if (items.length === 0) return
  const body = { alarms: items.map(({ order_id, kind }) => ({ order_id, kind })) }
  const action = `notice ${items.map(keyOf).join(' ')}`
  try {
    await told(action, () =>
      call('POST /m/v2/merchant/{tmk}/alarms/acknowledge', { params: { tmk: merchantKey() }, body }),
    )
  } catch (error) {
    if (!(error instanceof CallError) || error.status >= 500) {
      retry = setTimeout(() => void tell(), RETRY_MS)
    } else if (error.status !== 401) {
      noticed.set([])
      tellFailure(action, 'The alarm could not be stopped for the other screens.', error.message)
    }
  }
}

/** Also of orders that were noticed before this part arrived. */
export function tellNoticed(): () => void {
  let known = 0
  const look = (): void => {
    const { length } = noticed.get()
    if (length > known) void tell()
    known = length
  }
  look()
  return noticed.listen(look)
}
