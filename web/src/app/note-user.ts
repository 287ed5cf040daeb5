import { hashed } from '#lib/reports/hashed.ts'
import { track } from '#lib/reports/analytics.ts'
import { session } from '#sign-in/public.ts'

/** Views of the inventory are told with the hashed user (TELE-003). */
export async function noteInventory(): Promise<void> {
  const id = session.get().user?.id
  const user_id = id === undefined ? undefined : await hashed(id)
  track('Inventory Page View', user_id === undefined ? {} : { user_id })
}
