import { forgetSelection } from '#orders/public.ts'
import { holdSignInPage } from '#sign-in/public.ts'

/** Everything that the page shows and remembers belongs to a session that is over. */
export function startOver(): void {
  holdSignInPage()
  forgetSelection()
  // Unlike the start page, this one opens without a line too, and leads a person without a session to the sign-in.
  location.assign('/orders')
}
