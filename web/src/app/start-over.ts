import { forgetSelection } from '#orders/public.ts'
import { signInPage } from '#sign-in/public.ts'

/** Everything that the page shows and remembers belongs to a session that is over. */
export function startOver(): Promise<void> {
  // The browser's Back and Stop end a page load. The next step to the sign-in page then starts another.
  signInPage.free = startOver
  forgetSelection()
  // Unlike the start page, this one opens without a line too, and leads a person without a session to the sign-in.
  location.assign('/orders')
  return new Promise(() => {})
}
