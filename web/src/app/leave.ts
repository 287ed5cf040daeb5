import { forgetSelection } from '#orders/public.ts'
import { takeKeys } from '#lib/keys/keyboard.ts'
import { signOut } from '#sign-in/public.ts'

/** Ends the session here and on the server; a full page load drops every bit of client state. */
export async function leave(): Promise<void> {
  // Never given back, because the page is about to go away.
  takeKeys(null)
  await signOut()
  startOver()
}

/** Everything that the page shows and remembers belongs to a session that is over. */
export function startOver(): void {
  forgetSelection()
  location.assign('/')
}
